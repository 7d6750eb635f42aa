import { expect, test } from 'vitest';
import { raiseOption } from './raise-option.js';

const NOTHING = { tokens: 0, costMicroUsd: 0, activeMs: 0 };

test.each([
  ['tokens', { tokens: 1_000 }, { tokens: 5_101 }, '--max-tokens 15303'],
  ['money', { costMicroUsd: 10_000, tokens: 900 }, { costMicroUsd: 2_000_000, tokens: 10 }, '--max-cost 6.00'],
  ['hardly any money', { costMicroUsd: 1 }, { costMicroUsd: 2 }, '--max-cost 0.01'],
  ['time, stopped just before', { activeMs: 120_000, tokens: 900 }, { activeMs: 119_000, tokens: 9 }, '--max-time 6m'],
  ['what no option raises', { asks: 3 }, {}, undefined],
])('of %s, the option is for more than was spent', (_, limits, spent, option) => {
  expect(raiseOption(limits, { ...NOTHING, ...spent })).toBe(option);
});
