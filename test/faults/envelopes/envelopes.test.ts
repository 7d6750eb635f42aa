import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport, isClean } from '../stage/report.js';
import { envelopesHarness } from './envelopes-harness.js';
import { ENVELOPE_BUGS, envelopesPlanted } from './planted.js';
import { type Undisturbed, undisturbed } from './undisturbed.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 300_000;
const cannotRun = missing('Linux', 'git', 'flock') !== undefined;

let expected: Undisturbed;
beforeAll(async () => {
  if (!cannotRun) expected = await undisturbed({ root, keep: false });
}, LONG_MS);

test.skipIf(cannotRun)(
  'eight kills of the real program: every stage is recorded and every call counted once, what came back comes back again',
  { timeout: LONG_MS },
  async () => {
    const report = await envelopesHarness({ root, kills: 8, seed: 1, expected });
    expect(describeReport(report).filter((line) => line.startsWith('  !'))).toEqual([]);
    expect(isClean(report)).toBe(true);
    expect(report.acknowledged).toBeGreaterThan(8);
  },
);

test.skipIf(cannotRun)('an envelope that begins anew is caught', { timeout: LONG_MS }, async () => {
  const [anew] = ENVELOPE_BUGS;
  const planted = await envelopesPlanted(root, anew ? [anew] : [], { known: expected, kills: 3 });
  expect(planted).toEqual([{ name: 'begins with the first stage whenever it is resumed', caught: expect.any(String) }]);
});
