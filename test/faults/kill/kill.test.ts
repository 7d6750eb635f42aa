import path from 'node:path';
import { expect, test } from 'vitest';
import { describeReport, isClean } from '../stage/report.js';
import { killHarness } from './kill-harness.js';
import { killPlanted } from './planted.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;

test.skipIf(process.platform !== 'linux')(
  'twelve kills lose no acknowledged command, answer no step twice and leave no process behind',
  { timeout: LONG_MS },
  async () => {
    const report = await killHarness({ root, kills: 12, seed: 1 });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(process.platform !== 'linux')(
  'the kill harness catches what was planted',
  { timeout: LONG_MS },
  async () => {
    const planted = await killPlanted(root);
    expect(planted.filter(({ caught }) => caught === undefined)).toEqual([]);
  },
);
