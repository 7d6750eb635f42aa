import { expect, test } from 'vitest';
import { suchJobs } from './use-such-jobs.js';

test('what such jobs cost: the middle, and what nine of ten do not exceed', () => {
  const runs = [9, 1, 5, 3, 2, 4, 8, 7, 6, 100].map((cost_usd) => ({
    metrics: { cost_usd, seconds: cost_usd * 60, tokens: 0, handoffs: 1 },
  }));
  expect(suchJobs(runs)).toEqual({ count: 10, medianUsd: 6, mostUsd: 100, medianMs: 360_000, mostMs: 6_000_000 });
  expect(suchJobs([])).toBeNull();
});
