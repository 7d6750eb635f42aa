import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { missing } from '../stage/missing.js';
import { describeReport, type Report } from '../stage/report.js';
import { flipHarness } from './bit-flips.js';
import { fullDiskHarness } from './full-disk.js';
import { callsPlanted, flipsPlanted } from './planted.js';
import { readOnlyHarness } from './read-only.js';
import { systemCallHarness } from './system-calls.js';

const root = path.resolve(import.meta.dirname, '../../..');
const LONG_MS = 180_000;
const mayMount = missing('Linux', 'root', 'mount') === undefined;
const mayTrace = missing('Linux', 'present strace') === undefined;

const wrong = (report: Report): string[] => describeReport(report).filter((line) => line.startsWith('  !'));

describe('a disk that is', () => {
  test.skipIf(!mayMount)(
    'full keeps what was acknowledged and works again (needs root for a small tmpfs)',
    async () => {
      expect(wrong(await fullDiskHarness({ steps: 24, every: 3 }))).toEqual([]);
    },
  );

  test.skipIf(!mayMount)('read-only is refused with a code (needs root to mount)', async () => {
    expect(wrong(await readOnlyHarness({ root }))).toEqual([]);
  });
});

describe('a system call that fails', () => {
  test.skipIf(!mayTrace)('costs nothing that was acknowledged (needs strace)', { timeout: LONG_MS }, async () => {
    expect(wrong(await systemCallHarness({ root, every: 60 }))).toEqual([]);
  });

  test.skipIf(!mayTrace)('and is not noticed is caught (needs strace)', { timeout: LONG_MS }, async () => {
    expect((await callsPlanted(root)).filter(({ caught }) => caught === undefined)).toEqual([]);
  });
});

describe('a bit that is turned over', () => {
  test('is found or touches nothing of the journal', { timeout: LONG_MS }, async () => {
    expect(wrong(await flipHarness({ seed: 1, every: 401 }))).toEqual([]);
  });

  test('and looked for by nobody is caught', { timeout: LONG_MS }, async () => {
    expect((await flipsPlanted()).filter(({ caught }) => caught === undefined)).toEqual([]);
  });
});
