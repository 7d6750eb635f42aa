import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { costMicroUsd, KNOWN_PRICES } from '../proxy/prices.js';
import { NO_TOKENS } from '../proxy/tokens.js';
import { readPrices } from './read-prices.js';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'baton-prices-'));
  file = path.join(home, 'prices.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (models: object) => writeFileSync(file, JSON.stringify({ models }));

test('without a file the known prices hold', async () => {
  expect(await readPrices(home)).toBe(KNOWN_PRICES);
});

test('dollars become micro-dollars, whole ones, in every place', async () => {
  const rates = { input_usd: 0.07, cached_input_usd: 0.1, cache_write_usd: 1.1, output_usd: 4.1 };
  write({ mine: { ...rates, long_cache_write_usd: 0.29, long: { above: 9, ...rates, long_cache_write_usd: 8.7 } } });
  const whole = { input: 70_000, cached_input: 100_000, cache_write: 1_100_000, output: 4_100_000 };
  expect((await readPrices(home)).models.mine).toEqual({
    ...whole,
    long_cache_write: 290_000,
    long: { above: 9, ...whole, long_cache_write: 8_700_000 },
  });
});

test('what is left out costs what input does, and a long write what a write does', async () => {
  write({
    plain: { input_usd: 2, output_usd: 3 },
    written: { input_usd: 2, cache_write_usd: 5, output_usd: 3 },
  });
  const table = await readPrices(home);
  const parts = { cachedInputTokens: 10, cacheWriteTokens: 10, longCacheWriteTokens: 10 };
  const tokens = { ...NO_TOKENS, inputTokens: 40, ...parts, outputTokens: 1 };
  expect(costMicroUsd(table, 'plain', tokens)).toBe(40 * 2 + 3);
  expect(costMicroUsd(table, 'written', tokens)).toBe(20 * 2 + 20 * 5 + 3);
});

test('a price of a known model replaces the whole of it; all others stay', async () => {
  write({ 'gpt-5.5': { input_usd: 1, output_usd: 2 } });
  const { models, ...rest } = await readPrices(home);
  const { models: known, ...said } = KNOWN_PRICES;
  expect(rest).toEqual(said);
  expect(models['gpt-5.5']).toMatchObject({ input: 1_000_000, output: 2_000_000 });
  expect(models['gpt-5.5']).not.toHaveProperty('long');
  expect({ ...models, 'gpt-5.5': known['gpt-5.5'] }).toEqual(known);
});

test.each([
  ['half a file', '{"models":', 'line 1'],
  ['a list', '[]', 'must be object'],
  ['a text', '{"models":{"m":{"input_usd":"2","output_usd":1}}}', '/models/m/input_usd must be number'],
  ['half a price', '{"models":{"m":{"input_usd":2}}}', '/models/m/output_usd is missing'],
  ['a copy of the known prices', JSON.stringify(KNOWN_PRICES), 'version'],
  ['a price of the known ones', '{"models":{"m":{"input":2000000,"input_usd":2,"output_usd":1}}}', '/models/m'],
  ['micro-dollars', '{"models":{"m":{"input_usd":2000000,"output_usd":1}}}', '/models/m/input_usd'],
  ['another format', '{"schema_version":"2.0.0","models":{}}', 'schema_version'],
])('%s is refused with the file and the place', async (_, text, place) => {
  writeFileSync(file, text);
  await expect(readPrices(home)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(new RegExp(`^${file}: .*${place}`)),
    details: { file },
  });
});

test('a file that cannot be read is refused, too', async () => {
  mkdirSync(file);
  await expect(readPrices(home)).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: { file } });
});
