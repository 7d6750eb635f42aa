import { expect, test } from 'vitest';
import { compareCounts } from './random-streams.js';

/** The long version: node tools/meter.mjs --streams 20000 */
const STREAMS = 1_000;

test.each([1, Date.now() % 1_000_000])('seed %i: what the proxy counts is what the provider counts', async (seed) => {
  expect((await compareCounts(seed, STREAMS / 2)).slice(0, 3)).toEqual([]);
});
