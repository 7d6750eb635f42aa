import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../src/contracts/catalogue.js';
import { CONTRACT_NAMES } from '../../src/contracts/contract-names.js';
import { check } from '../../src/contracts/shared/contract.js';
import { placesIn } from './places-in.js';
import { pathsOf } from './schema-nodes.js';
import { basesOf, type Violation, violationsOf } from './violations.js';

const ALL = CONTRACT_NAMES.flatMap(violationsOf);

describe(`${ALL.length} payloads with a single change`, () => {
  for (const contract of CONTRACT_NAMES) {
    const cases = ALL.filter((violation) => violation.contract === contract);
    test(`${contract}: each of ${cases.length} gets exactly its code`, () => {
      expect(cases.flatMap(misjudged)).toEqual([]);
    });
  }
});

describe('the payloads that are changed', () => {
  test.each(CONTRACT_NAMES)('%s: are valid and fill every field of the schema', (contract) => {
    const bases = basesOf(contract);
    const refused = bases.filter(({ example }) => !check(CONTRACTS[contract], example).allow);
    expect(refused).toEqual([]);
    const filled = new Set(bases.flatMap(({ example }) => [...placesIn(example)]));
    expect([...pathsOf(contract)].filter((path) => !filled.has(path))).toEqual([]);
  });
});

function misjudged(violation: Violation): string[] {
  const { contract, file, pointer, what, payload, strict, code } = violation;
  const verdict = check(CONTRACTS[contract], payload, { strict });
  if (verdict.code === code) return [];
  const mode = strict ? ' in strict mode' : '';
  return [`${file} with ${pointer || 'the payload'} ${what}${mode}: ${verdict.code}, not ${code} (${verdict.reason})`];
}
