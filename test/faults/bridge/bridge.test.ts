import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport, isClean } from '../stage/report.js';
import { bridgeHarness } from './bridge-harness.js';
import { BRIDGE_BUGS, bridgePlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 240_000;
const cannotRun = missing('Linux', 'git', 'flock', 'python3') !== undefined;

test.skipIf(cannotRun)(
  'twelve kills of handler, orchestrator and agent: every orchestrator gets its three answers and leaves no files [R182] [R183] [R197] [R225]',
  { timeout: LONG_MS },
  async () => {
    const report = await bridgeHarness({ root, kills: 12, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.acknowledged).toBeGreaterThan(8);
  },
);

test.skipIf(cannotRun)('an orchestrator that takes any answer is caught', { timeout: LONG_MS }, async () => {
  const [anyAnswer] = BRIDGE_BUGS;
  const planted = await bridgePlanted(root, anyAnswer ? [anyAnswer] : [], 2);
  expect(planted).toEqual([{ name: 'takes an answer to any request', caught: expect.any(String) }]);
});
