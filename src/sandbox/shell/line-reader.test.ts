import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createShellReader } from './create-shell-reader.js';
import { COMMANDS_MAX, DEPTH_MAX, LINE_CHARS_MAX } from './line-reader.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-reader-')));
mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
symlinkSync('src/deep', path.join(folder, 'link'));
afterAll(() => rmSync(folder, { recursive: true }));
const reader = await createShellReader();
const read = (line: string) => reader.readLine(line, folder);

describe('a line', () => {
  test('becomes its commands, with all that stands around them', () => {
    expect(read('A=1 cmd \'a b\' "c\\"d" *.ts >out 2>&1 <in')).toEqual({
      understood: true,
      commands: [
        {
          argv: ['cmd', 'a b', 'c"d', '*.ts'],
          ...{ openFrom: 3, wrapper: false, sets: ['A'], folder },
          redirects: [
            { kind: 'write', target: 'out' },
            { kind: 'read', target: 'in' },
          ],
        },
      ],
    });
  });

  test.each([
    ['cd src && q', 'src'],
    ['cd link && q', 'src/deep'],
    ['cd src && cd deep && q', 'src/deep'],
    ['(cd src); q', ''],
    ['sh -c "cd src"; q', ''],
    ['cd src && sh -c q', 'src'],
    ['cd src; q', null],
    ['cd src || q', null],
    ['cd src | q', ''],
    ['cd src | cat; q', null],
    ['cd missing && q', null],
    ['cd && q', null],
    ['cd - && q', null],
    ['cd ~ && q', null],
    ['pushd src && q', null],
    ['{ cd src; }; q', null],
    ['cd src & q', null],
    ['find . -execdir q \\;', null],
  ])('%s runs q in %s', (line, where) => {
    const last = read(line).commands.at(-1);
    expect(last).toMatchObject({ argv: ['q'], folder: where === null ? null : path.join(folder, where) });
  });

  test.each([
    ['X=1; q', ['X']],
    ['export X=1 Y; q', ['X', 'Y']],
    ['X=1 Y=2; Z=3 q', ['X', 'Y', 'Z']],
    ['X=1 true; q', []],
    ['(X=1); q', []],
    ['env X=1 q', ['X']],
    ['X=1 sh -c q', ['X']],
  ])('%s sets %j for q', (line, sets) => {
    expect(read(line).commands.at(-1)).toMatchObject({ argv: ['q'], sets });
  });

  test.each([
    ['env A=1 q x', ['q', 'x'], null],
    ['nice -n 5 nohup q', ['q'], null],
    ['timeout -k 1 --signal=KILL 5 q', ['q'], null],
    ['xargs -0 -n 1 q a', ['q', 'a'], 2],
    ['xargs -I % q a %', ['q', 'a', '%'], 2],
    ['find . -name a -exec q {} +', ['q', '{}'], 1],
    ['sudo -u root q', ['q'], null],
    ['bash -euo pipefail -c q', ['q'], null],
    ['timeout 5 q *.ts', ['q', '*.ts'], 1],
  ])('%s starts %j', (line, argv, openFrom) => {
    expect(read(line).commands.at(-1)).toMatchObject({ argv, openFrom });
  });
});

/** Found by starting real shells on odd lines: see test/policy. */
describe('where the grammar is wrong about a line', () => {
  test('words that touch are one word', () => {
    expect(read("q '\t'\\a")).toMatchObject({ understood: true, commands: [{ argv: ['q', '\ta'] }] });
  });

  test.each([
    "q 'a' b\\\nc",
    'q |{}',
    '{q;}',
    '{}',
    'q a{},}b',
    'q {}{x,y}',
    'q <<<\na',
    'q && then q',
    'q; do',
    'q >a b',
    'q ;; q',
    'xargs -I% % a',
    'find . -exec {} +',
  ])('%j is not understood', (line) => {
    expect(read(line)).toMatchObject({ understood: false });
  });
});

describe('a list of words', () => {
  test('is taken as it is', () => {
    const { commands } = reader.readArgv(['printf', '$(x)', '*', ''], folder);
    expect(commands).toMatchObject([{ argv: ['printf', '$(x)', '*', ''], openFrom: null }]);
  });

  test('that starts a shell is read further', () => {
    const { commands } = reader.readArgv(['bash', '-lc', 'cd src && q'], folder);
    expect(commands.map(({ argv }) => argv[0])).toEqual(['bash', 'cd', 'q']);
  });

  test.each([[[]], [['']], [['ls\n']], [['ls', '\0']]])('%j is not understood', (argv) => {
    expect(reader.readArgv(argv, folder)).toMatchObject({ understood: false, reason: expect.any(String) });
  });
});

describe('at its limits', () => {
  const what = (line: string) => {
    const reading = read(line);
    return reading.understood ? 'understood' : reading.what;
  };
  const shells = (depth: number) => 'env '.repeat(depth);

  test.each([
    ['commands', Array(COMMANDS_MAX).fill('q').join(';'), `${Array(COMMANDS_MAX).fill('q').join(';')};q`],
    ['characters', `q ${'a'.repeat(LINE_CHARS_MAX - 2)}`, `q ${'a'.repeat(LINE_CHARS_MAX - 1)}`],
    ['depth', `${shells(DEPTH_MAX)}q`, `${shells(DEPTH_MAX + 1)}q`],
    ['brackets', `${'( '.repeat(30)}q${' )'.repeat(30)}`, `${'( '.repeat(60)}q${' )'.repeat(60)}`],
  ])('%s: the last is understood, one more is not', (_about, fits, tooMuch) => {
    expect({ fits: what(fits), tooMuch: what(tooMuch) }).toEqual({ fits: 'understood', tooMuch: 'limit' });
  });

  test('fifty commands are refused', () => {
    expect(what(Array(50).fill('ls').join(' && '))).toBe('limit');
  });
});
