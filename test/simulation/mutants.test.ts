import { expect, test } from 'vitest';
import { mutants } from './mutants.js';
import { caughtBy } from './mutation-check.js';

const SEEDS_MAX = 600;
const LONG_MS = 300_000;
const seeds = Array.from({ length: SEEDS_MAX }, (_, index) => index + 1);

test.each(Object.keys(mutants))('the simulation notices when %s', { timeout: LONG_MS }, async (name) => {
  expect(await caughtBy(mutants[name] ?? {}, seeds)).toEqual({
    seeds: expect.any(Number),
    problem: expect.any(String),
  });
});

test.each(['work', 'sessions'] as const)('without a planted bug it notices nothing in stories of %s', async (cast) => {
  expect(await caughtBy({ cast }, seeds.slice(0, 10))).toBe(undefined);
});
