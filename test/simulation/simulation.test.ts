import { describe, expect, test } from 'vitest';
import type { Cast } from './kinds.js';
import { simulate } from './simulate.js';

const FIXED = 150;
const FRESH = 30;
const SESSIONS = 70;
/** Each of these once broke a promise. */
const BROKEN_ONCE = [390, 4132, 4407, 4737, 4950, 5273, 5987, 7403, 7800, 8203];
const FIRST_FRESH = Math.floor(Date.now() / 1000);

const fixed = Array.from({ length: FIXED }, (_, index) => index + 1);
const fresh = Array.from({ length: FRESH }, (_, index) => FIRST_FRESH + index);

/** The seed is the bug report: what is printed replays it, with everything that happened. */
const expectPromisesKept =
  (cast: Cast) =>
  async (seed: number): Promise<void> => {
    const { problems } = await simulate(seed, {}, cast);
    expect(problems, `npm run simulate -- --cast ${cast} --seed ${seed}`).toEqual([]);
  };

describe('whatever happens to the processes, every promise is kept and all work comes to rest', () => {
  test.each(fixed)('seed %i', expectPromisesKept('work'));
  test.each(fresh)('fresh seed %i', expectPromisesKept('work'));
});

describe('whatever people say to sessions, every task ends once and the next input is answered', () => {
  test.each(fixed.slice(0, SESSIONS))('seed %i', expectPromisesKept('sessions'));
  test.each(BROKEN_ONCE)('seed %i, which once broke one', expectPromisesKept('sessions'));
  test.each(fresh)('fresh seed %i', expectPromisesKept('sessions'));
});

test.each(['work', 'sessions'] as const)('the same seed tells the same story of %s', async (cast) => {
  expect(await simulate(7, {}, cast)).toEqual(await simulate(7, {}, cast));
});

test('another seed tells another story', async () => {
  expect((await simulate(8)).trace).not.toEqual((await simulate(7)).trace);
});
