import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN, Stage } from './stage.js';

let here: Stage;
let point: string;
beforeEach(async () => {
  here = new Stage().commitFirst();
  await here.ready();
  here.work('a.txt', 'good\n');
  here.work('src/c.txt', 'good\n');
  point = (await here.collect()).commit ?? '';
  here.work('a.txt', 'bad\n');
  here.work('src/c.txt', 'bad\n');
  here.work('src/extra.txt', 'bad\n');
  rmSync(path.join(here.workspace, 'src/b.txt'));
  await here.collect([], 'ask-2');
  here.work('later.txt', 'not collected yet\n');
  here.work('node_modules/x', 'installed\n');
});
afterEach(() => here.clear());

const files = (): string[] => readdirSync(path.join(here.workspace, 'src')).sort();

describe('going back to a point', () => {
  test('restores all files, and nothing is lost', async () => {
    const before = here.fingerprint();
    expect(await here.restore(point)).toEqual({ restored: 5, problem: null });
    expect(here.git('diff', '--stat', point, `baton/${RUN}`)).toBe('');
    expect([here.read('a.txt'), here.read('src/c.txt'), files(), here.has('later.txt')]).toEqual([
      'good\n',
      'good\n',
      ['b.txt', 'c.txt'],
      false,
    ]);
    expect(here.read('node_modules/x'), 'what git ignores stays').toBe('installed\n');
    expect(here.git('show', `baton/${RUN}^:later.txt`), 'what was there is in the commit before').toBe(
      'not collected yet',
    );
    expect(here.git('log', '--format=%s', `${point}..baton/${RUN}`)).toMatch(
      /^Rolled back to .*\nThe workspace before it was rolled back\n/,
    );
    expect(here.fingerprint()).toEqual(before);
    expect(await here.collect([], 'ask-3')).toMatchObject({ changed: { files: 0 } });
  });

  test('restores exactly the files and folders that are named', async () => {
    expect(await here.restore(point, ['src/'])).toEqual({ restored: 3, problem: null });
    expect([here.read('a.txt'), files(), here.read('later.txt')]).toEqual([
      'bad\n',
      ['b.txt', 'c.txt'],
      'not collected yet\n',
    ]);
    expect(await here.restore(point, ['a.txt'], 'restore-2')).toEqual({ restored: 1, problem: null });
    expect(here.read('a.txt')).toBe('good\n');
  });

  test('takes names as names, not as patterns', async () => {
    here.work('src/*', 'star\n');
    expect(await here.restore(point, ['src/*'])).toEqual({ restored: 1, problem: null });
    expect(files()).toEqual(['c.txt', 'extra.txt']);
  });

  test('does the same when it is done again', async () => {
    const first = await here.restore(point, ['src']);
    const head = here.git('rev-parse', `baton/${RUN}`);
    here.work('src/c.txt', 'half restored when it crashed\n');
    expect(await here.restore(point, ['src'])).toEqual(first);
    expect(here.git('rev-parse', `baton/${RUN}`)).toBe(head);
    expect(here.read('src/c.txt')).toBe('good\n');
  });

  test('says what it cannot do, and changes nothing then', async () => {
    expect(await here.restore('0'.repeat(40))).toEqual({
      restored: 0,
      problem: expect.stringMatching(/is gone from the repository/),
    });
    expect(await here.restore(point, ['../x'])).toEqual({
      restored: 0,
      problem: expect.stringMatching(/leads upwards/),
    });
    expect(await here.restore(point, ['src', 'nowhere'])).toEqual({
      restored: 0,
      problem: expect.stringMatching(/no "nowhere" in the workspace/),
    });
    expect(here.read('src/c.txt')).toBe('bad\n');
    here.run = 'no-repository';
    await here.ready({ repository: null });
    expect(await here.restore(point)).toEqual({ restored: 0, problem: expect.stringMatching(/no repository/) });
  });
});
