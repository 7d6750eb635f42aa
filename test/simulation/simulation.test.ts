import { describe, expect, test } from 'vitest';
import { simulate } from './simulate.js';

const FIXED = 150;
const FRESH = 30;
const FIRST_FRESH = Math.floor(Date.now() / 1000);

const fixed = Array.from({ length: FIXED }, (_, index) => index + 1);
const fresh = Array.from({ length: FRESH }, (_, index) => FIRST_FRESH + index);

/** The seed is the bug report: what is printed replays it, with everything that happened. */
async function expectPromisesKept(seed: number): Promise<void> {
  const { problems } = await simulate(seed);
  expect(problems, `npm run simulate -- --seed ${seed}`).toEqual([]);
}

describe('whatever happens to the processes, every promise is kept and all work comes to rest', () => {
  test.each(fixed)('seed %i', expectPromisesKept);
  test.each(fresh)('fresh seed %i', expectPromisesKept);
});

test('the same seed tells the same story', async () => {
  expect(await simulate(7)).toEqual(await simulate(7));
});

test('another seed tells another story', async () => {
  expect((await simulate(8)).trace).not.toEqual((await simulate(7)).trace);
});
