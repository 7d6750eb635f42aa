import path from 'node:path';
import { expect, test } from 'vitest';
import { describeReport } from '../stage/report.js';
import { takeoverPlanted } from './planted.js';
import { takeoverHarness } from './takeover-harness.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;

test.skipIf(process.platform !== 'linux')(
  'a worker that was stopped and taken over writes nothing more when it goes on, and its agents are ended',
  { timeout: LONG_MS },
  async () => {
    const report = await takeoverHarness({ root, pauses: 5, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(process.platform !== 'linux')('a store without fence is caught', { timeout: LONG_MS }, async () => {
  expect((await takeoverPlanted(root)).filter(({ caught }) => caught === undefined)).toEqual([]);
});
