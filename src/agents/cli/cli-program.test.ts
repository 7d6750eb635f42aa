import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findCli } from './cli-program.js';

const DIALECT = { name: 'codex', oldest: [1, 2, 3], install: 'get codex' } as const;

function program(body: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'codex');
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

const find = (bin: string, versionMsMax = 20_000) =>
  findCli(DIALECT, bin, { PATH: process.env.PATH }, { versionMsMax });

test.each([
  ['1.2.3', true],
  ['1.10.0', true],
  ['2.0.0', true],
  ['1.2.2', false],
  ['1.1.9', false],
  ['0.9.9', false],
])('the version %s is new enough: %s', async (version, isNew) => {
  const bin = program(`echo "codex-cli ${version} (of today)"`);
  expect(await find(bin)).toEqual(
    isNew ? { program: bin, version } : { problem: `codex ${version} is too old, 1.2.3 is needed: get codex` },
  );
});

test('a program that does not tell its version is ended with what it started, and asked anew the next time', async () => {
  const nap = `307.${process.pid}`;
  const bin = program(`test -e "$0.again" && exec echo 1.2.3\n: >"$0.again"\nsleep ${nap} &\nwait`);
  expect(await find(bin, 500)).toEqual({
    problem: `${bin} --version did not answer within 0.5 seconds; install it anew: get codex`,
  });
  await vi.waitUntil(() => !isRunning(nap), { timeout: 20_000 });
  expect(await find(bin)).toMatchObject({ version: '1.2.3' });
});

test('a program that prints without end is not listened to for ever', async () => {
  expect(await find(program('exec yes'))).toMatchObject({ problem: expect.stringContaining('tells no version') });
});

function isRunning(word: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word);
    } catch {
      return false; // it has ended meanwhile
    }
  });
}
