import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport } from '../stage/report.js';
import { approvalsHarness } from './approvals-harness.js';
import { approvalsPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 300_000;
/** Both wait for others more than they work. */
const TOGETHER = { timeout: LONG_MS, concurrent: true };
const cannotRun = missing('Linux', 'git', 'bwrap') !== undefined;

test.skipIf(cannotRun)(
  'kills before and after a yes, and while the command runs: what was allowed once runs once',
  TOGETHER,
  async () => {
    const report = await approvalsHarness({ root, kills: 4, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
  },
);

test.skipIf(cannotRun)('a yes that outlives a loss is noticed', TOGETHER, async () => {
  expect(await approvalsPlanted(root)).toEqual([
    { name: expect.any(String), caught: expect.stringContaining('ran 2') },
  ]);
});
