import path from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport } from '../stage/report.js';
import { SESSION_BUGS, sessionsPlanted } from './planted.js';
import { sessionsHarness } from './sessions-harness.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 300_000;
/** They wait for others more than they work. */
const TOGETHER = { timeout: LONG_MS, concurrent: true };
const cannotRun = missing('Linux', 'git') !== undefined;

test.skipIf(cannotRun)(
  'ten kills around an approval, attached again over another transport: it runs once when allowed, never when not',
  TOGETHER,
  async () => {
    const report = await sessionsHarness({ root, kills: 10, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(cannotRun).each(SESSION_BUGS)('$bug.name: caught', TOGETHER, async (planted) => {
  expect(await sessionsPlanted(root, [planted])).toEqual([{ name: planted.bug.name, caught: expect.any(String) }]);
});
