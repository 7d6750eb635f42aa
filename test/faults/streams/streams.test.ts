import path from 'node:path';
import { expect, test } from 'vitest';
import { describeReport, isClean } from '../stage/report.js';
import { streamsPlanted } from './planted.js';
import { streamsHarness } from './streams-harness.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;

test('ten times a listener comes back, and five times to a server that was killed: no gap, nothing twice', {
  timeout: LONG_MS,
}, async () => {
  const report = await streamsHarness({ root, resumes: 10, seed: 1 });
  expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
  expect(isClean(report)).toBe(true);
  expect(report.acknowledged).toBeGreaterThan(10);
});

test('the streams harness catches what was planted', { timeout: LONG_MS }, async () => {
  expect((await streamsPlanted(root)).filter(({ caught }) => caught === undefined)).toEqual([]);
});
