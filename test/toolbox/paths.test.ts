import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { missingLocations } from '../../src/tools/check-locations.js';
import { Bench } from './bench.js';

const SECRET = 'what nobody may see';
let bench: Bench;
beforeEach(() => {
  bench = new Bench();
  bench.write('../outside/secret.txt', `${SECRET}\n`);
  bench.write('../project-sibling/secret.txt', `${SECRET}\n`);
  bench.write('inside.txt', 'fine\n');
  bench.write('.git/config', `${SECRET}\n`);
  const at = (name: string): string => path.join(bench.folder, name);
  symlinkSync('../outside', at('folder-link'));
  symlinkSync('../outside/secret.txt', at('file-link'));
  symlinkSync('loop', at('loop'));
  symlinkSync('inside.txt', at('inside-link'));
  linkSync(path.join(bench.root, 'outside/secret.txt'), at('hard-link'));
  execFileSync('mkfifo', [at('pipe')]);
});
afterEach(() => bench.close());

/** TRUST.md, "Paths". */
const REFUSED: readonly string[] = [
  '../outside/secret.txt',
  'a/../../outside/secret.txt',
  '../project-sibling/secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  'folder-link/secret.txt',
  'file-link',
  'inside-link',
  'loop',
  'hard-link',
  'pipe',
  'inside.txt\0',
  '\0',
  '..\\outside\\secret.txt',
  'C:\\secret.txt',
  'C:/secret.txt',
  '%2e%2e/outside/secret.txt',
  'file:///etc/passwd',
  '~/secret.txt',
  '~root',
  '.git/config',
  '.GIT/config',
  './.git/config',
  '.baton/config.json',
  '\u202etxt.terces',
  'inside.txt.',
  'inside.txt ',
  'x'.repeat(300),
  'x/'.repeat(600),
  ' ',
  'a\nb',
];

describe.each(REFUSED)('the path %j', (hostile) => {
  test('is refused by every tool, and never opened', async () => {
    const failures = [await bench.fails('read_file', { path: hostile })];
    // A pipe or a hard link among the files is passed over there; named alone it holds nothing.
    if (hostile !== 'hard-link') {
      failures.push(await bench.fails('code_search', { query: 'may', path: hostile }));
      failures.push(await bench.fails('list_files', { path: hostile }));
      failures.push(await bench.fails('find_symbols', { path: hostile }));
    }
    for (const failed of failures) {
      expect(failed).toMatchObject({ error_type: 'PathRefused', recoverable: false });
      expect(JSON.stringify(failed)).not.toContain(SECRET);
    }
  });

  test('is no place that can be cited', async () => {
    const missing = await missingLocations(bench.folder, [hostile, `${hostile}:1`]);
    expect(missing.map(({ because }) => because)).toEqual([
      expect.stringMatching(/^is refused/),
      expect.stringMatching(/^is refused/),
    ]);
  });
});

test('folders and nothing at all are not files', async () => {
  mkdirSync(path.join(bench.folder, 'sub'));
  for (const name of ['sub', '.', './', 'inside.txt/deeper']) {
    expect(await bench.fails('read_file', { path: name })).toMatchObject({
      error_type: 'ToolError',
      recoverable: true,
    });
  }
  expect(await bench.fails('read_file', { path: '' })).toMatchObject({ error_type: 'BadParams' });
});

test.each(['a repository', 'a plain folder'])(
  'a search in %s goes through no link, pipe or second name',
  async (kind) => {
    rmSync(path.join(bench.folder, '.git'), { recursive: true });
    if (kind === 'a repository') {
      bench.git('init', '-q');
      bench.git('add', 'file-link', 'folder-link', 'loop');
    }
    for (const query of [{ query: SECRET }, { query: SECRET, regex: true }]) {
      const { matches, skipped } = await bench.gives('code_search', query);
      expect(matches).toEqual([]);
      expect(skipped.unreadable).toBeGreaterThan(0);
    }
    const { files } = await bench.gives('list_files', { path: 'inside.txt' });
    expect(files).toEqual(['inside.txt']);
  },
);

test('a file that is swapped for a link meanwhile is read as it was, or not at all', async () => {
  const swapped = path.join(bench.folder, 'swapped.txt');
  const spare = path.join(bench.root, 'spare');
  let goesOn = true;
  const swapping = (async () => {
    while (goesOn) {
      writeFileSync(spare, 'fine\n');
      renameSync(spare, swapped);
      await sleep(0);
      symlinkSync('../outside/secret.txt', spare);
      renameSync(spare, swapped);
      await sleep(0);
    }
  })();
  const ends = [];
  for (let index = 0; index < 300; index += 1) ends.push(await bench.use('read_file', { path: 'swapped.txt' }));
  goesOn = false;
  await swapping;
  expect(JSON.stringify(ends)).not.toContain(SECRET);
  const kinds = new Set(ends.map((end) => ('failure' in end ? end.failure.error_type : 'read')));
  expect(kinds).toContain('PathRefused');
  expect(kinds).toContain('read');
});

test("Baton's own files are shown to nobody, wherever they lie", async () => {
  bench.write('own/home/token', 'the token');
  bench.write('own/homework.txt', 'the token of somebody else');
  const { find } = await bench.toolbox();
  for (const [tool, params] of [
    ['read_file', { path: 'own/home/token' }],
    ['list_files', { path: 'own/home' }],
    ['code_search', { path: 'own/home', query: 'token' }],
  ] as const) {
    const refused = { failure: { error_type: 'PathRefused', recoverable: false } };
    expect(await find(tool)?.run(params, bench.around), tool).toMatchObject(refused);
  }
  expect(await find('list_files')?.run({}, bench.around)).toMatchObject({
    result: { files: expect.not.arrayContaining([expect.stringContaining('own/home/')]) },
  });
  const found = await find('code_search')?.run({ query: 'the token' }, bench.around);
  expect(found).toMatchObject({ result: { matches: [{ path: 'own/homework.txt' }] } });
});

test('a folder that the user named by a link is the one behind it', async () => {
  const link = path.join(bench.root, 'link');
  symlinkSync('project', link);
  const tool = (await bench.toolbox()).find('read_file');
  expect(await tool?.run({ path: 'inside.txt' }, { ...bench.around, folder: link })).toMatchObject({
    result: { content: 'fine' },
  });
  expect(await missingLocations(link, ['inside.txt:1'])).toEqual([]);
});

describe('of cited places', () => {
  test('those that are there are found, and of the others it is said what is wrong', async () => {
    bench.write('src/a.ts', 'one\ntwo\nthree');
    bench.write('empty', '');
    const fine = [
      'src/a.ts',
      'src/a.ts:1',
      'src/a.ts:3',
      'src/a.ts:1-3',
      'src',
      './src//a.ts:2',
      'https://a.example/x:9',
    ];
    expect(await missingLocations(bench.folder, fine)).toEqual([]);
    const wrong = [
      'src/a.ts:4',
      'src/a.ts:2-4',
      'src/a.ts:0',
      'src/a.ts:3-2',
      'src/b.ts:1',
      'src:1',
      'empty:1',
      'ftp://a/b',
    ];
    expect(await missingLocations(bench.folder, [...wrong, 'src/a.ts:4'])).toEqual([
      { location: 'src/a.ts:4', because: 'has only 3 lines' },
      { location: 'src/a.ts:2-4', because: 'has only 3 lines' },
      { location: 'src/a.ts:0', because: 'names lines that cannot be' },
      { location: 'src/a.ts:3-2', because: 'names lines that cannot be' },
      { location: 'src/b.ts:1', because: 'there is no such file' },
      { location: 'src:1', because: 'is a folder and has no lines' },
      { location: 'empty:1', because: 'has only 0 lines' },
      { location: 'ftp://a/b', because: 'is refused: the path names a drive or a URL' },
    ]);
  });

  test('a file that is too large to be read is counted all the same', async () => {
    bench.write('large.log', 'line\n'.repeat(600_000));
    expect(await missingLocations(bench.folder, ['large.log:600000', 'large.log:600001'])).toEqual([
      { location: 'large.log:600001', because: 'has only 600000 lines' },
    ]);
  });

  test('none is there where the folder is gone', async () => {
    expect(await missingLocations(path.join(bench.root, 'gone'), ['a.ts:1', 'https://a.example'])).toEqual([
      { location: 'a.ts:1', because: 'there is no such file' },
    ]);
  });

  test('only so many are looked up', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `inside.txt:${index + 1}`);
    const missing = await missingLocations(bench.folder, many);
    expect(missing).toHaveLength(1_000);
    expect(missing.at(-1)?.because).toBe('is not looked up: only 1000 places are');
  });
});
