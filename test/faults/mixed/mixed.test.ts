import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Undisturbed, undisturbed } from '../envelopes/undisturbed.js';
import { missing } from '../stage/missing.js';
import { describeReport } from '../stage/report.js';
import { mixedHarness } from './mixed-harness.js';
import { mixedPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 600_000;
const cannotRun = missing('Linux', 'git', 'flock', 'python3') !== undefined;

let expected: Undisturbed;
beforeAll(async () => {
  if (!cannotRun) expected = await undisturbed({ root, keep: false });
}, LONG_MS);

test.skipIf(cannotRun)(
  'ten kills of whoever takes part while all five contracts are at work: nothing lost, nothing twice, all at rest',
  { timeout: LONG_MS },
  async () => {
    const report = await mixedHarness({ root, kills: 10, seed: 1, expected });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(cannotRun)('a server that forgets keys is noticed', { timeout: LONG_MS }, async () => {
  expect(await mixedPlanted(root, expected)).toEqual([{ name: expect.any(String), caught: expect.any(String) }]);
});
