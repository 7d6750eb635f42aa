import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport, isClean } from '../stage/report.js';
import { operatorHarness } from './operator-harness.js';
import { OPERATOR_BUGS, operatorPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 300_000;
const cannotRun = missing('Linux', 'git', 'flock') !== undefined;

test.skipIf(cannotRun)(
  'eight kills of the real program: every task is done and merged once, no scopes meet, nothing is left',
  { timeout: LONG_MS },
  async () => {
    const report = await operatorHarness({ root, kills: 8, tasks: 40, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.acknowledged).toBe(40);
  },
);

test.skipIf(cannotRun)('a lock that is forgotten is caught', { timeout: LONG_MS }, async () => {
  const [forgotten] = OPERATOR_BUGS;
  const planted = await operatorPlanted(root, forgotten ? [forgotten] : []);
  expect(planted).toEqual([{ name: 'forgets a lock while its task is at work', caught: expect.any(String) }]);
});
