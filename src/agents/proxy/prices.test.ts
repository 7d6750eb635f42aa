import { expect, test } from 'vitest';
import { costMicroUsd, KNOWN_PRICES, type PriceTable } from './prices.js';
import { NO_TOKENS } from './tokens.js';

const TABLE: PriceTable = {
  version: 1,
  date: '2026-01-01',
  models: {
    'model-4': {
      input: 3_000_000,
      cached_input: 300_000,
      cache_write: 3_750_000,
      long_cache_write: 6_000_000,
      output: 15_000_000,
    },
    'model-5': {
      input: 1_000_000,
      cached_input: 100_000,
      output: 2_000_000,
      long: { above: 100, input: 9_000_000, cached_input: 1, output: 1 },
    },
    'model-6': {
      input: 1_000_000,
      cached_input: 100_000,
      cache_write: 2_000_000,
      output: 1_000_000,
      long: {
        above: 100,
        input: 10_000_000,
        cached_input: 3_000_000,
        cache_write: 20_000_000,
        long_cache_write: 40_000_000,
        output: 5_000_000,
      },
    },
  },
};
const cost = (model: string, tokens: Partial<typeof NO_TOKENS>) =>
  costMicroUsd(TABLE, model, { ...NO_TOKENS, ...tokens });

test('each kind of token has its price', () => {
  const tokens = {
    inputTokens: 1_000,
    cachedInputTokens: 400,
    cacheWriteTokens: 100,
    longCacheWriteTokens: 50,
    outputTokens: 200,
    reasoningTokens: 150,
  };
  expect(cost('model-4', tokens)).toBe(450 * 3 + 400 * 0.3 + 100 * 3.75 + 50 * 6 + 200 * 15);
});

test('part of a micro-dollar is one', () => {
  expect(cost('model-4', { inputTokens: 1, cachedInputTokens: 1 })).toBe(1);
});

test('a long prompt costs more, all of it', () => {
  expect([cost('model-5', { inputTokens: 100 }), cost('model-5', { inputTokens: 101 })]).toEqual([100, 909]);
});

test('a long prompt costs more also for what the cache has to do with, which makes it long', () => {
  const parts = { cachedInputTokens: 60, cacheWriteTokens: 20, longCacheWriteTokens: 10, outputTokens: 7 };
  expect(cost('model-6', { inputTokens: 101, ...parts })).toBe(11 * 10 + 60 * 3 + 20 * 20 + 10 * 40 + 7 * 5);
  expect(cost('model-6', { inputTokens: 100, ...parts })).toBe(10 + 60 * 0.1 + 20 * 2 + 10 * 2 + 7);
});

test('a write to the cache without a price costs what input does', () => {
  const written = { cacheWriteTokens: 10, longCacheWriteTokens: 10 };
  expect(cost('model-5', { inputTokens: 20, ...written })).toBe(20);
  expect(cost('model-5', { inputTokens: 101, ...written })).toBe(909);
});

test.each([
  ['model-4-20250929', true],
  ['model-4-2026-03-05', true],
  ['model-4@20250929', true],
  ['model-4-latest', true],
  ['model-4-mini', false],
  ['model-4.1', false],
  ['model', false],
  ['constructor', false],
  ['', false],
])('the model %j has a price: %s', (model, known) => {
  expect(cost(model, { inputTokens: 1_000_000 })).toBe(known ? 3_000_000 : undefined);
});

test('the table that comes with Baton is whole', () => {
  expect(KNOWN_PRICES).toMatchObject({ version: expect.any(Number), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  for (const [model, { long, ...rates }] of Object.entries(KNOWN_PRICES.models)) {
    const figures = [...Object.values(rates), ...Object.values(long ?? {})];
    expect([model, figures.filter((figure) => !Number.isInteger(figure))]).toEqual([model, []]);
    expect([model, rates.cached_input < rates.input, rates.input < rates.output]).toEqual([model, true, true]);
    if (!long) continue;
    const { above: _, ...longRates } = long;
    // A tier that forgot one would take its price from the input.
    expect([model, Object.keys(longRates)]).toEqual([model, Object.keys(rates)]);
    for (const [rate, figure] of Object.entries(longRates)) {
      expect([model, rate, figure > (rates[rate as keyof typeof rates] ?? 0)]).toEqual([model, rate, true]);
    }
  }
});
