import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';

const folder = mkdtempSync(path.join(tmpdir(), 'baton-quoting-'));
afterAll(() => rmSync(folder, { recursive: true }));
const reader = await createShellReader();
const SHELLS = ['/bin/sh', '/bin/bash'] as const;
const PROBE = "printf '%s\\0' ";
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** What a shell gives the probe; undefined when it complains. */
function run(shell: string, line: string): readonly string[] | undefined {
  const { stdout, stderr, status } = spawnSync(shell, ['-c', line], {
    ...{ cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  });
  return status === 0 && stderr === '' ? stdout.split('\0').slice(0, -1) : undefined;
}

/** The words of a line that is nothing but the probe, as Baton reads it. */
function readWords(line: string): readonly string[] | undefined {
  const reading = reader.readLine(line, folder);
  const [command, ...more] = reading.commands;
  if (!reading.understood || !command || more.length > 0 || command.openFrom !== null) return undefined;
  if (command.redirects.length > 0 || command.argv[0] !== 'printf' || command.argv[1] !== '%s\\0') return undefined;
  return command.argv.slice(2);
}

const anyWord = fc.string({
  unit: fc.constantFrom(...'ab \'"\\$`;&|(){}<>#~*?[]!=\n\t-é'),
  minLength: 1,
  maxLength: 8,
});
/** `always`: understood whatever the word is. The grammar loses its way in some rows of backslashes. */
const QUOTINGS: readonly { always: boolean; quote(word: string): string }[] = [
  { always: true, quote: (word) => `'${word.replaceAll("'", "'\\''")}'` },
  { always: true, quote: (word) => `"${word.replace(/[\\"$`]/g, '\\$&')}"` },
  { always: false, quote: (word) => word.replace(/\S/gu, '\\$&').replace(/\s/g, "'$&'") },
];
const quotedWord = fc
  .tuple(anyWord, fc.constantFrom(...QUOTINGS))
  .map(([word, { always, quote }]) => ({ word, quoted: quote(word), always }));

describe.each(SHELLS)('words in quotes and %s', (shell) => {
  test('are read as the shell reads them', () => {
    fc.assert(
      fc.property(fc.array(quotedWord, { minLength: 1, maxLength: 4 }), (words) => {
        const line = PROBE + words.map(({ quoted }) => quoted).join(' ');
        const meant = words.map(({ word }) => word);
        const read = readWords(line);
        if (read || words.every(({ always }) => always)) expect(read).toEqual(meant);
        expect(run(shell, line)).toEqual(meant);
      }),
      { numRuns: 100 },
    );
  });
});

/** Nothing in it is a program, so that whatever a shell makes of it does no harm. */
const soup = fc.string({
  unit: fc.constantFrom(...'qz \'"\\$`;&|(){}<>#~*?[]!=\n\t-,.é'),
  minLength: 1,
  maxLength: 14,
});

describe('a line of odd characters that Baton understands', () => {
  test('means the same to every shell', () => {
    let understood = 0;
    fc.assert(
      fc.property(soup, (text) => {
        const line = PROBE + text;
        const words = readWords(line);
        // A pipe into an assignment is read rightly, and swallows what the probe says.
        if (!words || /\|&?\s*[qz]+=/.test(text)) return;
        understood += 1;
        for (const shell of SHELLS) {
          const ran = run(shell, line);
          // Not every shell knows here-strings: one that does not refuses the line and runs nothing of it.
          if (ran === undefined && shell === '/bin/sh' && line.includes('<<<')) continue;
          // Without words the probe prints one empty one.
          expect({ shell, line, ran }).toEqual({ shell, line, ran: words.length === 0 ? [''] : words });
        }
      }),
      { numRuns: 1_500 },
    );
    expect(understood, 'or nothing was compared').toBeGreaterThan(20);
  });
});
