/** Every requirement of the five documents. test/requirements.test.ts holds this list and the tests together. */

import type { ContractName } from '../src/contracts/contract-names.js';
import { requirements000 } from './requirements/000.js';
import { requirements001 } from './requirements/001.js';
import { requirements002 } from './requirements/002.js';
import { requirements003 } from './requirements/003.js';
import { requirements004 } from './requirements/004.js';

/** A part of Baton that is still to come. */
export type Part =
  | 'privacy'
  | 'bridge'
  | 'envelope'
  | 'operator'
  | 'session'
  | 'transports'
  | 'agents'
  | 'verification'
  | 'reasoning'
  | 'demo'
  | 'visualization'
  | 'server';

export type Requirement = {
  id: string;
  /** Where it stands in its document. */
  section: string;
  text: string;
  /** Says something about this field: proven by the violations that test/conformance makes of it. */
  field?: { contract: ContractName; path: string };
  /** Cannot be shown before this part exists. Take the mark away together with the first test that cites the id. */
  waitsFor?: Part;
  /** Why it does not hold yet although it should: every test that cites it is a `test.fails`. */
  knownFailure?: string;
};

export const REQUIREMENTS: readonly Requirement[] = [
  ...requirements000,
  ...requirements001,
  ...requirements002,
  ...requirements003,
  ...requirements004,
];

export const REQUIREMENTS_TOTAL = 633;
