import { describe, expect, test } from 'vitest';
import {
  addSpent,
  amountWords,
  type Dimension,
  exhausted,
  NOTHING_SPENT,
  nearlyExhausted,
  remaining,
  usedWords,
} from './budget.js';

const DIMENSIONS: readonly Dimension[] = ['costMicroUsd', 'tokens', 'activeMs', 'asks'];

describe.each(DIMENSIONS)('a limit on %s', (dimension) => {
  const spent = (amount: number) => addSpent(NOTHING_SPENT, { [dimension]: amount });

  test('is used up when it is reached, not only when it is crossed', () => {
    expect([99, 100, 101].map((amount) => exhausted({ [dimension]: 100 }, spent(amount)))).toEqual([
      undefined,
      dimension,
      dimension,
    ]);
  });

  test('is nearly used up from eighty percent until it is used up', () => {
    expect([79, 80, 99, 100].map((amount) => nearlyExhausted({ [dimension]: 100 }, spent(amount)))).toEqual([
      [],
      [dimension],
      [dimension],
      [],
    ]);
  });

  test('leaves what is not spent, and never less than nothing', () => {
    expect([0, 60, 100, 150].map((amount) => remaining({ [dimension]: 100 }, spent(amount), dimension))).toEqual([
      100, 40, 0, 0,
    ]);
  });

  test.each([{}, { [dimension]: 0 }])('does not exist when it is absent or 0: %o', (limits) => {
    expect([
      exhausted(limits, spent(1e12)),
      nearlyExhausted(limits, spent(1e12)),
      remaining(limits, spent(1e12), dimension),
    ]).toEqual([undefined, [], Number.POSITIVE_INFINITY]);
  });
});

test('what is spent is added dimension by dimension', () => {
  const one = { costMicroUsd: 1, tokens: 2, activeMs: 3, asks: 4 };
  expect([addSpent(one, { costMicroUsd: 10, tokens: 20, activeMs: 30, asks: 40 }), addSpent(one, {})]).toEqual([
    { costMicroUsd: 11, tokens: 22, activeMs: 33, asks: 44 },
    one,
  ]);
});

test('of several limits that are used up, money is named first', () => {
  expect(exhausted({ asks: 1, costMicroUsd: 1 }, { ...NOTHING_SPENT, asks: 1, costMicroUsd: 1 })).toBe('costMicroUsd');
});

test.each([
  ['costMicroUsd', 4_990_000, 5_000_000, '$4.99 of $5.00'],
  ['tokens', 10, 20, '10 of 20 tokens'],
  ['activeMs', 90_000, 120_000, '1 of 2 min'],
  ['activeMs', 1_900, 30_000, '1 of 30 s'],
  ['asks', 3, 4, '3 of 4 handoffs'],
] as const)('%s is told to people in its unit', (dimension, used, limit, words) => {
  expect(usedWords(dimension, { ...NOTHING_SPENT, [dimension]: used }, { [dimension]: limit })).toBe(words);
});

test.each<[Dimension, number, string]>([
  ['costMicroUsd', 5_100_000, '$5.10'],
  ['costMicroUsd', 3_000_000, '$3.00'],
  ['costMicroUsd', 6_467, '$0.006467'],
  ['activeMs', 1_000, '1 s'],
  ['activeMs', 1_500, '1.5 s'],
  ['activeMs', 60_000, '1 min'],
  ['activeMs', 3_601_000, '60 min 1 s'],
  ['tokens', 1_200, '1200 tokens'],
  ['tokens', 1, '1 token'],
  ['asks', 50, '50 handoffs'],
])('%s of %d is %s, for people', (dimension, value, words) => {
  expect(amountWords(dimension, value)).toBe(words);
});
