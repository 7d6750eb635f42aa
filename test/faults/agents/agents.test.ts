import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport } from '../stage/report.js';
import { agentsHarness } from './agents-harness.js';
import { agentsPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 300_000;
/** Both wait for others more than they work. */
const TOGETHER = { timeout: LONG_MS, concurrent: true };
const cannotRun = missing('Linux', 'git', 'bwrap') !== undefined;

test.skipIf(cannotRun)(
  'three kills while Codex works or Claude Code reviews: the job ends once, lands once, nothing lives on, all is counted',
  TOGETHER,
  async () => {
    const report = await agentsHarness({ root, kills: 3, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
  },
);

test.skipIf(cannotRun)('tokens of killed turns that are forgotten are missed', TOGETHER, async () => {
  expect(await agentsPlanted(root)).toEqual([{ name: expect.any(String), caught: expect.stringContaining('tokens') }]);
});
