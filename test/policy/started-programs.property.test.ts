import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { SimpleCommand } from '../../src/core/policy/shell-reading.js';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-started-')));
const bin = path.join(folder, 'bin');
mkdirSync(bin);
for (const name of ['q', 'z']) {
  const file = path.join(bin, name);
  // One write per start: `q&z` runs two of them at once.
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '' '\n' >> "$LOG"\n`);
  chmodSync(file, 0o755);
}
afterAll(() => rmSync(folder, { recursive: true }));
const reader = await createShellReader();

/** Which programs a shell starts. Only the two that write down how they were started can be found. */
function startedBy(shell: string, line: string, cwd: string): string[][] {
  // What a line leaves in the background must not be taken for the next line's.
  const log = `${cwd}.log`;
  writeFileSync(log, '');
  spawnSync(shell, ['-c', line], { cwd, env: { PATH: bin, LC_ALL: 'C', LOG: log }, stdio: 'ignore', timeout: 5_000 });
  const entries = readFileSync(log, 'utf8').split('\0\0\n\0').slice(0, -1);
  return entries.map((entry) => entry.split('\0'));
}

function isRead(argv: readonly string[], commands: readonly SimpleCommand[]): boolean {
  return commands.some((command) => {
    const known = command.openFrom ?? Math.max(argv.length, command.argv.length);
    return Array.from({ length: known }, (_, index) => index).every((index) => argv[index] === command.argv[index]);
  });
}

const parts = [
  'q',
  'z',
  ' ',
  ' ',
  "'",
  '"',
  '\\',
  '$',
  '`',
  ';',
  '&',
  '|',
  '(',
  ')',
  '{',
  '}',
  '<',
  '>',
  '#',
  '\n',
  '=',
  '!',
  '*',
];
const soup = fc.array(fc.constantFrom(...parts), { minLength: 3, maxLength: 14 }).map((words) => words.join(''));

test('no shell starts a program that was not read in a line that Baton understands', () => {
  let compared = 0;
  fc.assert(
    fc.property(soup, (text) => {
      const reading = reader.readLine(text, folder);
      if (!reading.understood || reading.commands.length === 0) return;
      compared += 1;
      for (const shell of ['/bin/sh', '/bin/bash']) {
        const cwd = mkdtempSync(path.join(folder, 'cwd-'));
        const unread = startedBy(shell, text, cwd).filter((argv) => !isRead(argv, reading.commands));
        expect({ shell, text, unread }).toEqual({ shell, text, unread: [] });
      }
    }),
    { numRuns: 2_000 },
  );
  expect(compared, 'or nothing was compared').toBeGreaterThan(50);
});
