import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport, isClean } from '../stage/report.js';
import { jobsHarness } from './jobs-harness.js';
import { JOB_BUGS, jobsPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;
const cannotRun = missing('Linux', 'git', 'flock') !== undefined;

test.skipIf(cannotRun)(
  'six kills of the real program: every job succeeds once, no agent works beside another, the checkout is untouched',
  { timeout: LONG_MS },
  async () => {
    const report = await jobsHarness({ root, kills: 6, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(cannotRun)('an ask that is repeated without a record is caught', { timeout: LONG_MS }, async () => {
  const [, doubleAsk] = JOB_BUGS;
  const planted = await jobsPlanted(root, doubleAsk ? [doubleAsk] : [], 4);
  expect(planted).toEqual([{ name: 'asks again without recording the loss', caught: expect.any(String) }]);
});
