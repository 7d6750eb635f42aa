import path from 'node:path';
import { expect, test } from 'vitest';
import { describeReport } from '../stage/report.js';
import { writersPlanted } from './planted.js';
import { writersHarness } from './writers-harness.js';

const root = path.resolve(import.meta.dirname, '../../..');
const COMMANDS = 500;

test('two processes that write at once lose nothing, leave no gap and do not starve each other', async () => {
  const report = await writersHarness({ root, commands: COMMANDS });
  expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
  expect(report.acknowledged).toBe(2 * COMMANDS);
});

test('a writer that drops appends is caught', async () => {
  expect((await writersPlanted(root)).filter(({ caught }) => caught === undefined)).toEqual([]);
});
