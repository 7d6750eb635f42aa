import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BRANCH, LEDGER, TaskStage } from './task-stage.js';

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

test('an attempt has a workspace of its own, and nothing of the user moves', async () => {
  stage.write('a.txt', 'not committed\n');
  const before = stage.fingerprint();
  const prepared = await stage.begun(stage.spec());
  expect(prepared).toMatchObject({ folder: stage.workspace, base: stage.git('rev-parse', 'HEAD') });
  expect(stage.read('a.txt'), 'as it was committed').toBe('one\n');
  expect(stage.read('worklogs/T-1.jsonl')).toBe('');
  expect(stage.fingerprint()).toEqual(before);
  expect(stage.refs(), 'no branch of the attempt').toEqual([
    `refs/baton/${LEDGER}/base`,
    `refs/baton/${LEDGER}/head`,
    'refs/heads/main',
  ]);
});

test('all tasks begin with the same commit until something is merged', async () => {
  const first = await stage.begun(stage.spec());
  stage.git('commit', '-q', '--allow-empty', '-m', 'meanwhile');
  const second = await stage.begun(stage.spec({ task_id: 'T-2' }));
  expect(second.base).toBe(first.base);
});

test('attempts that begin at once agree on it', async () => {
  const bases = await Promise.all(
    ['T-1', 'T-2', 'T-3', 'T-4'].map(async (task_id) => {
      const other = new TaskStage();
      Object.assign(other, { repo: stage.repo, home: stage.home, environment: stage.environment });
      const { base } = await other.begun(stage.spec({ task_id }));
      other.clear();
      return base;
    }),
  );
  expect(new Set(bases).size).toBe(1);
});

test('prepared again it is the same one, with the work in it', async () => {
  const first = await stage.begun(stage.spec());
  stage.work('src/b.txt', 'changed\n');
  expect(await stage.begin(stage.spec())).toEqual(first);
  expect(stage.read('src/b.txt')).toBe('changed\n');
});

test('what the scope names and is not there is made by its name', async () => {
  const lock_scope = ['new/one.ts', 'docs/', 'Makefile', 'src'] as [string, ...string[]];
  await stage.begun(stage.spec({ lock_scope }));
  expect(lstatSync(path.join(stage.workspace, 'new/one.ts')).size).toBe(0);
  expect(lstatSync(path.join(stage.workspace, 'docs')).isDirectory()).toBe(true);
  expect(stage.has('Makefile'), 'nobody can tell what it is to be').toBe(false);
  const { task } = JSON.parse(readFileSync(path.join(stage.workspace, '../workspace.json'), 'utf8'));
  expect(task.writable.toSorted()).toEqual(['', 'docs', 'new/one.ts', 'src']);
  expect(task.kept.toSorted()).toEqual(['.git', '.gitignore', 'a.txt', 'new', 'worklogs']);
});

test.each([
  ['src/link/x.ts', 'src/link/x.ts: src/link is a link'],
  ['src/link', 'src/link: src/link is a link'],
  ['a.txt/below.ts', 'a.txt/below.ts: a.txt is no folder'],
  ['.git/hooks', '.git/hooks: .git holds control files'],
  ['sub/.GIT', 'sub/.GIT: .GIT holds control files'],
])('a scope %s is refused', async (scope, refused) => {
  symlinkSync('/tmp', path.join(stage.repo, 'src/link'));
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'link');
  expect(await stage.begin(stage.spec({ lock_scope: [scope] }))).toEqual({ refused });
});

test('a worklog is not laid through a link, nor over a folder', async () => {
  symlinkSync('/tmp', path.join(stage.repo, 'worklogs'));
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'link');
  expect(await stage.begin(stage.spec())).toMatchObject({ refused: expect.stringContaining('worklogs is a link') });
  expect(await stage.begin(stage.spec({ task_id: 'T-2', worklog_path: 'src' }))).toEqual({
    refused: 'worklog_path src is a folder',
  });
});

test('the copy of the worklog begins with what is known', async () => {
  const earlier = stage.entry({ action: 'assigned' });
  await stage.begun(stage.spec(), { worklog: earlier });
  expect(stage.read('worklogs/T-1.jsonl')).toBe(`${earlier}\n`);
});

test('a branch that somebody else has made of that name is left alone', async () => {
  stage.git('branch', BRANCH);
  expect(await stage.begin(stage.spec())).toMatchObject({ problem: expect.stringContaining('of another run') });
});

test('a branch called baton is in the way, and that is said', async () => {
  stage.git('branch', 'baton');
  expect(await stage.begin(stage.spec())).toMatchObject({ problem: expect.stringContaining('stands in the way') });
});

test('names of files are found however they are composed', async () => {
  const onDisk = 'cafe\u0301';
  stage.write(`${onDisk}/a.txt`, 'x\n');
  writeFileSync(path.join(stage.repo, 'with space.txt'), 'x\n');
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'names');
  await stage.begun(stage.spec({ lock_scope: ['caf\u00e9', 'with space.txt'] }));
  const { task } = JSON.parse(readFileSync(path.join(stage.workspace, '../workspace.json'), 'utf8'));
  expect(task.writable).toEqual([onDisk, 'with space.txt']);
});
