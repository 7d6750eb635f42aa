/**
 * A corpus for readers of JSON text, in the manner of the well-known JSON test suites but written for Baton.
 *
 * y_ RFC 8259 accepts it, and so do we.
 * n_ RFC 8259 refuses it, and so do we.
 * i_ RFC 8259 leaves it open or warns about it: `expect` says what Baton does.
 */

import type { JsonProblem } from '../../src/contracts/shared/read-json.js';
import { ACCEPTED_TEXTS } from './json-reader-accepted.js';
import { BYTE_CASES } from './json-reader-bytes.js';
import { OPEN_TEXTS } from './json-reader-open.js';
import { REFUSED_TEXTS } from './json-reader-refused.js';

export type Expectation = 'accepted' | JsonProblem | 'too-large';

export type ReaderCase = {
  readonly name: string;
  readonly expect: Expectation;
  /** Large inputs are only built when they are read. */
  readonly input: () => string | Uint8Array;
};

/** Name and text of a case whose expectation is that of its group. */
export type NamedText = readonly [name: string, text: string];

function cases(prefix: string, expect: Expectation, texts: readonly NamedText[]): ReaderCase[] {
  return texts.map(([name, text]) => ({ name: `${prefix}_${name}`, expect, input: () => text }));
}

function grouped(prefix: string, groups: Partial<Record<Expectation, readonly NamedText[]>>): ReaderCase[] {
  return Object.entries(groups).flatMap(([expect, texts]) => cases(prefix, expect as Expectation, texts));
}

export const READER_CASES: readonly ReaderCase[] = [
  ...cases('y', 'accepted', ACCEPTED_TEXTS),
  ...grouped('n', REFUSED_TEXTS),
  ...grouped('i', OPEN_TEXTS),
  ...BYTE_CASES,
];
