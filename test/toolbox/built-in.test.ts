import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BatonError } from '../../src/contracts/shared/errors.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { FILE_BYTES_MAX } from '../../src/tools/files/read-text.js';
import { Bench } from './bench.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

/** Also where the folder is no repository. */
describe.each(['a repository', 'a plain folder'])('in %s', (kind) => {
  beforeEach(() => {
    if (kind === 'a repository') bench.git('init', '-q');
    bench.write('src/login.ts', 'export function login(user: string) {\n  return check(user);\n}\n');
    bench.write('src/check.ts', '// login comes first\nexport const check = (user: string) => user !== "";\r\n');
    bench.write('README.md', '# Login\n\nlogin by name\n');
    bench.write('node_modules/other/index.js', 'login\n');
    bench.write('.gitignore', 'node_modules\n');
  });

  test('code_search finds lines in the order of paths and lines, with their places as evidence', async () => {
    const end = await bench.use('code_search', { query: 'login' });
    const matches = [
      { path: 'README.md', line: 3, text: 'login by name' },
      { path: 'src/check.ts', line: 1, text: '// login comes first' },
      { path: 'src/login.ts', line: 1, text: 'export function login(user: string) {' },
    ];
    expect(end).toEqual({
      result: { matches, files_searched: 4, skipped: { binary: 0, large: 0, unreadable: 0 } },
      evidence: matches.map(({ path: file, line, text }) => ({
        location: `${file}:${line}`,
        content: text,
        relevance: 'holds "login"',
      })),
    });
  });

  test('code_search takes a text as it is, and a pattern when told to', async () => {
    bench.write('src/odd.ts', 'a.*b\nacb\n');
    expect((await bench.gives('code_search', { query: 'a.*b' })).matches).toMatchObject([{ line: 1 }]);
    expect((await bench.gives('code_search', { query: 'a.*b', regex: true })).matches).toMatchObject([
      { line: 1 },
      { line: 2 },
    ]);
  });

  test('code_search and list_files look only where they are told to', async () => {
    const found = async (more: object) =>
      (await bench.gives('code_search', { query: 'login', ...more })).matches.map((one: { path: string }) => one.path);
    expect(await found({ path: 'src' })).toEqual(['src/check.ts', 'src/login.ts']);
    expect(await found({ path: './src/login.ts' })).toEqual(['src/login.ts']);
    expect(await found({ glob: '*.md' })).toEqual(['README.md']);
    expect(await found({ glob: 'src/**/l*.{ts,js}' })).toEqual(['src/login.ts']);
    expect(await bench.gives('list_files', { path: 'src' })).toEqual({ files: ['src/check.ts', 'src/login.ts'] });
    expect(await bench.gives('list_files')).toEqual({
      files: ['.gitignore', 'README.md', 'src/check.ts', 'src/login.ts'],
    });
  });

  test('what is left out is said', async () => {
    expect(await bench.gives('code_search', { query: 'login', max_results: 1 })).toMatchObject({
      matches: [{ path: 'README.md' }],
      truncated: true,
      left_out: 2,
    });
    expect(await bench.gives('list_files', { max_results: 3 })).toMatchObject({ truncated: true, left_out: 1 });
    expect(await bench.gives('find_symbols', { max_results: 1 })).toMatchObject({ truncated: true, left_out: 1 });
  });

  test('binary and large files are skipped and counted', async () => {
    bench.write('image.png', Buffer.from([0x6c, 0, 0x6c, 0x6f, 0x67, 0x69, 0x6e]));
    bench.write('large.txt', 'login\n'.padEnd(FILE_BYTES_MAX + 1, 'x'));
    const { matches, skipped } = await bench.gives('code_search', { query: 'login' });
    expect(matches).toHaveLength(3);
    expect(skipped).toEqual({ binary: 1, large: 1, unreadable: 0 });
    expect(await bench.fails('read_file', { path: 'image.png' })).toMatchObject({ recoverable: true });
    expect(await bench.fails('read_file', { path: 'large.txt' })).toMatchObject({
      error_type: 'ToolError',
      message: `large.txt has ${FILE_BYTES_MAX + 1} bytes; at most ${FILE_BYTES_MAX} are read`,
    });
  });

  test('find_symbols names what is defined, and where', async () => {
    expect(await bench.gives('find_symbols')).toMatchObject({
      symbols: [
        { name: 'check', kind: 'function', path: 'src/check.ts', line: 2 },
        { name: 'login', kind: 'function', path: 'src/login.ts', line: 1 },
      ],
    });
    expect((await bench.gives('find_symbols', { query: 'LOG' })).symbols).toHaveLength(1);
    expect((await bench.gives('find_symbols', { name: 'log' })).symbols).toHaveLength(0);
    expect((await bench.gives('find_symbols', { kind: 'class' })).symbols).toHaveLength(0);
  });
});

test('in a repository, what is new counts and what is ignored does not; elsewhere hidden folders do not', async () => {
  bench.write('.hidden/a.txt', 'x');
  bench.write('vendor/a.txt', 'x');
  expect(await bench.gives('list_files')).toEqual({ files: [] });
  bench.write('build/out.txt', 'x');
  bench.write('.gitignore', 'build\n');
  bench.git('init', '-q');
  bench.git('add', 'vendor');
  expect(await bench.gives('list_files')).toEqual({ files: ['.gitignore', '.hidden/a.txt', 'vendor/a.txt'] });
});

test('read_file gives the lines that were asked for', async () => {
  bench.write('a.txt', 'one\n  two\r\nthree\n');
  expect(await bench.use('read_file', { path: 'a.txt', start_line: 2, end_line: 9 })).toEqual({
    result: { path: 'a.txt', start_line: 2, end_line: 3, total_lines: 3, content: '  two\nthree' },
    evidence: [{ location: 'a.txt:2', content: 'two', relevance: 'lines 2 to 3 of a.txt were read' }],
  });
  bench.write('empty.txt', '');
  expect(await bench.gives('read_file', { path: 'empty.txt' })).toMatchObject({ total_lines: 0, content: '' });
});

test('however much there is, only so much is shown, and all of it is counted', async () => {
  for (const name of ['a', 'b']) bench.write(`${name}.ts`, 'const x = 1;\n'.repeat(400));
  for (const [tool, of] of [
    ['code_search', 'matches'],
    ['find_symbols', 'symbols'],
  ] as const) {
    const given = await bench.gives(tool, { query: 'x', max_results: 10_000 });
    expect(given[of]).toHaveLength(500);
    expect(given).toMatchObject({ truncated: true, left_out: 300 });
    expect(given[of].at(-1)).toMatchObject({ path: 'b.ts', line: 100 });
  }
});

test('read_file says how much of a long file is left out', async () => {
  bench.write('long.txt', 'line\n'.repeat(2_500));
  expect(await bench.gives('read_file', { path: 'long.txt' })).toMatchObject({
    end_line: 2_000,
    total_lines: 2_500,
    truncated: true,
    left_out: 500,
  });
});

test.each([
  ['read_file', { path: 'none.txt' }, 'ToolError', 'there is no file none.txt'],
  ['read_file', { path: 'a.txt', start_line: 5 }, 'ToolError', 'a.txt has only 1 lines'],
  ['read_file', { path: 'a.txt', start_line: 2, end_line: 1 }, 'BadParams', 'end_line lies before start_line'],
  ['read_file', {}, 'BadParams', 'path is missing'],
  ['read_file', { path: 7 }, 'BadParams', 'path must be a text of 1 to 4096 characters'],
  ['read_file', { path: 'a.txt', start_line: 0 }, 'BadParams', 'start_line must be a whole number from 1'],
  ['code_search', { query: 'a\nb' }, 'BadParams', 'query must be part of one line'],
  ['code_search', { query: 'x', regex: 'yes' }, 'BadParams', 'regex must be true or false'],
  ['code_search', { query: '(', regex: true }, 'BadParams', /^query is no regular expression/],
  ['code_search', { query: 'x', path: 'none' }, 'ToolError', 'there is no none'],
  ['list_files', { constructor: 1 }, 'BadParams', /^there is no parameter "constructor"; there are path, glob/],
  ['find_symbols', { kind: 'verb' }, 'BadParams', /^kind must be one of function/],
])('%s %j fails recoverably: %s', async (tool, params, error_type, message) => {
  bench.write('a.txt', 'x\n');
  const failed = await bench.fails(tool, params);
  expect(failed).toMatchObject({ error_type, recoverable: true });
  expect(failed.message).toMatch(message);
});

test('a pattern that would take for ever is given up, and nothing else waits for it', async () => {
  bench.write('a.txt', `${'a'.repeat(60)}!\n`);
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  const failed = await bench.fails('code_search', { query: '^(a+)+$', regex: true });
  clearInterval(ticking);
  expect(failed).toMatchObject({ error_type: 'ToolTimeout', recoverable: true });
  expect(ticks).toBeGreaterThan(10);
});

test('a search that is aborted ends, also in the middle of a pattern', async () => {
  bench.write('a.txt', `${'a'.repeat(60)}!\n`);
  bench.clock = { ...nodeClock, after: () => () => {} }; // its time is never up
  const searching = bench.use('code_search', { query: '^(a+)+$', regex: true });
  setTimeout(() => bench.abort.abort(), 300);
  await expect(searching).rejects.toThrow();
});

test('without a folder, and in one that is gone, nothing is found, which another folder would help', async () => {
  const tool = (await bench.toolbox()).find('list_files');
  for (const folder of [null, path.join(bench.root, 'gone')]) {
    expect(await tool?.run({}, { ...bench.around, folder })).toMatchObject({ failure: { recoverable: true } });
  }
});

describe('with ripgrep on PATH', () => {
  /** Answers as ripgrep does to exactly what it is asked, and writes down that it was. */
  const RIPGREP = `
while [ "$1" != -e ]; do
  case $1 in --no-config|--no-ignore|--hidden|--no-messages|--color=never|--encoding=none|--text|--fixed-strings|--case-sensitive|--files-with-matches|--null) ;; *) exit 2 ;; esac
  shift
done
query=$2; shift 3
echo asked >> "$(dirname "$0")/asked"
exec grep -l -a -Z -F -e "$query" -- "$@"`;

  beforeEach(() => {
    for (let index = 0; index < 210; index += 1)
      bench.write(`f/${index}.txt`, index % 70 === 0 ? 'x\nneedle\n' : 'hay\n');
    bench.write('large.txt', 'needle\n'.padEnd(FILE_BYTES_MAX + 1, 'x'));
  });

  test('the lines are those that are found without it', async () => {
    const without = await bench.use('code_search', { query: 'needle' });
    const program = bench.program('rg', RIPGREP);
    bench.environment.PATH = `${path.dirname(program)}:${bench.environment.PATH}`;
    expect(await bench.use('code_search', { query: 'needle' })).toEqual(without);
    expect(without).toMatchObject({ result: { matches: { length: 3 }, skipped: { large: 1 } } });
    expect(readFileSync(path.join(path.dirname(program), 'asked'), 'utf8')).toBe('asked\n');
  });

  test('one that fails is done without', async () => {
    const program = bench.program('rg', 'exit 2');
    bench.environment.PATH = `${path.dirname(program)}:${bench.environment.PATH}`;
    expect((await bench.gives('code_search', { query: 'needle' })).matches).toHaveLength(3);
  });

  test('one that no sandbox holds is done without, where one was asked for', async () => {
    const program = bench.program('rg', `touch ${bench.root}/ran; exit 1`);
    bench.environment.PATH = `${path.dirname(program)}:${bench.environment.PATH}`;
    bench.confine = async () => {
      throw new BatonError('SANDBOX_UNAVAILABLE', 'there is none', {});
    };
    expect((await bench.gives('code_search', { query: 'needle' })).matches).toHaveLength(3);
    expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
  });

  test('one that lies in the folder is not run', async () => {
    writeFileSync(path.join(bench.folder, 'rg'), '#!/bin/sh\ntouch ../ran\n', { mode: 0o755 });
    bench.environment.PATH = `.:${bench.environment.PATH}`;
    expect((await bench.gives('code_search', { query: 'needle' })).matches).toHaveLength(3);
    expect(await bench.gives('list_files', { glob: 'rg' })).toEqual({ files: ['rg'] });
    expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
  });
});
