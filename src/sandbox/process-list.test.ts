import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseStat, procfsSource } from './procfs.js';
import { parsePs, psSource } from './ps.js';

const onLinux = process.platform === 'linux';

describe.each([
  ['/proc', procfsSource, onLinux],
  ['ps', psSource, true],
] as const)('%s', (_, source, available) => {
  test.runIf(available)('shows this process, its parent and its child', async () => {
    const child = spawn('sleep', ['60'], { detached: true });
    const { pid = 0 } = child;
    try {
      const list = new Map(source.snapshot().map((one) => [one.pid, one]));
      expect(list.get(process.pid)?.ppid).toBe(process.ppid);
      expect(list.get(pid)).toMatchObject({ ppid: process.pid, group: pid, session: pid, zombie: false });
      expect(source.find(pid)).toMatchObject({ pid, started: list.get(pid)?.started });
      expect(list.get(pid)?.order).toBeGreaterThanOrEqual(list.get(process.pid)?.order ?? Number.NaN);
    } finally {
      child.kill('SIGKILL');
    }
    await new Promise((resolve) => child.once('exit', resolve));
    expect(source.find(pid)).toBeUndefined();
  });
});

test('a name with spaces, brackets and newlines does not shift the fields', () => {
  const rest = `S 7 8 9 ${'0 '.repeat(15)}12345 0 0`;
  expect(parseStat(`42 (a) R (b\n) ${rest}`)).toMatchObject({
    pid: 42,
    name: 'a) R (b\n',
    ppid: 7,
    group: 8,
    session: 9,
    order: 12_345,
    zombie: false,
  });
});

test.each(['', '42', '42 (unclosed'])('%j is not taken for a process', (text) => {
  expect(parseStat(text)).toBeUndefined();
});

test('lines of ps with and without a terminal, long names and zombies are understood', () => {
  const output = [
    '    1     0     1 Ss   Mon Nov  3 09:08:07 2025 /sbin/launchd',
    '  812   1   812 Z+   Tue Nov 11 10:00:00 2025 (sh)',
    'some warning',
    '',
  ].join('\n');
  expect(parsePs(output)).toMatchObject([
    { pid: 1, ppid: 0, group: 1, name: 'launchd', zombie: false, started: 'Mon Nov 3 09:08:07 2025' },
    { pid: 812, ppid: 1, group: 812, zombie: true },
  ]);
});
