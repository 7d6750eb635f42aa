import { describe, expect, test } from 'vitest';
import { PLANTED_BUGS } from '../../fuzz/planted-bugs.js';
import { Random } from '../../fuzz/random.js';
import { baton, type Subject } from '../../fuzz/subject.js';
import { OPERATOR_CONTRACTS, secondOpinion } from '../second-opinion/second-opinion.js';
import { type AgreeReport, agree, JUDGEMENTS } from './agree.js';
import { describeAgreement } from './describe-agreement.js';
import { pointsInto } from './points-into.js';
import { VALID_PACKETS } from './valid-packets.js';

const SHORT_RUN = 3300;
const FIXED_SEED = 20_261_116;
const FRESH_SEED = Date.now() % 2 ** 31;

/** Thrown rather than compared: the report is what somebody who looks at the failure needs. */
function expectAgreement(report: AgreeReport): void {
  if (report.disagreements.length > 0) throw new Error(describeAgreement(report));
}

describe('on packets made for contract 003, Baton and the second opinion agree', () => {
  test.each([
    ['a fixed seed', FIXED_SEED],
    ['a fresh seed', FRESH_SEED],
  ])('with %s', (_about, seed) => {
    const report = agree({ seed, packets: SHORT_RUN });
    expectAgreement(report);
    for (const judgement of JUDGEMENTS) {
      const { packets, allowed, refused } = report.tallies[judgement];
      expect(packets, judgement).toBe(SHORT_RUN / JUDGEMENTS.length);
      expect(allowed, `${judgement}: allowed`).toBeGreaterThan(packets / 10);
      expect(packets - allowed, `${judgement}: refused`).toBeGreaterThan(packets / 10);
      expect(Object.keys(refused).length, `${judgement}: for several reasons`).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(OPERATOR_CONTRACTS)('what is not twisted is valid: %s', (contract) => {
    for (let number = 0; number < 200; number += 1) {
      const packet = VALID_PACKETS[contract](new Random(FIXED_SEED, number));
      expect(secondOpinion(contract, packet, true), JSON.stringify(packet)).toBe('OK');
    }
  });

  test('one packet can be made again without those before it', () => {
    const whole = agree({ seed: 7, packets: 33 });
    const [half, rest] = [agree({ seed: 7, packets: 11 }), agree({ seed: 7, packets: 22, from: 11 })];
    for (const judgement of JUDGEMENTS) {
      expect(half.tallies[judgement].allowed + rest.tallies[judgement].allowed).toBe(whole.tallies[judgement].allowed);
    }
  });
});

describe('the comparison catches a planted bug:', () => {
  /** These bugs are in the text or its encoding, which packets made from values do not reach. */
  const {
    'duplicate keys are taken as JSON.parse takes them': _keys,
    'bytes that are not UTF-8 are repaired': _bytes,
    ...bugs
  } = PLANTED_BUGS;
  const more: Record<string, Subject> = {
    'the wrong place is named': {
      ...baton,
      judge: (contract, payload, strict) => {
        const verdict = baton.judge(contract, payload, strict);
        return { ...verdict, details: { ...verdict.details, path: '/no/such/place' } };
      },
    },
    'case does not matter to a change': {
      ...baton,
      judgeAgainst: (result, packet) => baton.judgeAgainst(lowered(result), lowered(packet)),
    },
  };
  const lowered = (value: unknown): unknown => JSON.parse(JSON.stringify(value).toLowerCase());

  test.each(Object.entries({ ...bugs, ...more }))('%s', (_name, subject) => {
    expect(agree({ seed: FIXED_SEED, packets: SHORT_RUN, subject }).disagreements).not.toEqual([]);
  });
});

test('a pointer leads to a place, or to where a missing field would stand', () => {
  const value = { list: [{ a: 1 }], 'a/b': { c: 1 } };
  const pointers = ['', '/list', '/list/0/a', '/list/0/missing', '/a~1b/c', '/list/1', '/nowhere/a', '/list/0/a/b'];
  expect(pointers.filter((pointer) => pointsInto(pointer, value))).toEqual(pointers.slice(0, 5));
});
