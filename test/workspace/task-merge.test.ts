import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Merge } from '../../src/core/task/task-deeds.js';
import { mortalGate } from './mortal-gate.js';
import { BRANCH, LEDGER, TaskStage } from './task-stage.js';

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

const one = (files: Record<string, string> = { 'src/b.txt': 'by one\n' }) => stage.attempt(stage.spec(), files);
const two = (files: Record<string, string> = { 'a.txt': 'by two\n' }) =>
  stage.attempt(stage.spec({ task_id: 'T-2', lock_scope: ['a.txt'] }), files);
const three = (files: Record<string, string> = { 'c.txt': 'by three\n' }) =>
  stage.attempt(stage.spec({ task_id: 'T-3', lock_scope: ['c.txt'] }), files);
const shown = (file: string, at = BRANCH): string => stage.git('show', `${at}:${file}`);
const subjects = (): string[] => stage.git('log', '--format=%s', BRANCH).split('\n');
test('each task becomes one commit on the branch, which nobody has checked out', async () => {
  const merges = [await one(), await two()];
  const before = stage.fingerprint();
  const merged = await stage.merged(...merges);
  expect(stage.fingerprint()).toEqual(before);
  expect(subjects()).toEqual(['Task T-2', 'Task T-1', 'first']);
  expect(merged).toEqual([
    { task: 'T-1', attempt: 1, commit: stage.git('rev-parse', `${BRANCH}~1`) },
    { task: 'T-2', attempt: 1, commit: stage.git('rev-parse', BRANCH) },
  ]);
  expect(stage.git('log', '-1', '--format=%an <%ae>%n%B', BRANCH)).toBe(
    `Baton <baton@localhost>\nTask T-2\n\nBaton-Task: T-2\nBaton-Handoff: ${LEDGER}.T-2.1\nBaton-Run: ${LEDGER}`,
  );
  expect([shown('src/b.txt'), shown('a.txt')]).toEqual(['by one', 'by two']);
  expect(stage.refs(), 'what is on the branch needs no pins').toEqual([
    `refs/baton/${LEDGER}/base`,
    `refs/baton/${LEDGER}/head`,
    `refs/heads/${BRANCH}`,
    'refs/heads/main',
  ]);
});

test('who comes later begins on what was merged', async () => {
  await stage.merged(await one());
  const { base } = await stage.begun(stage.spec({ task_id: 'T-2' }));
  expect(base).toBe(stage.git('rev-parse', BRANCH));
  expect(stage.read('src/b.txt')).toBe('by one\n');
});

test('merged twice it is there once', async () => {
  const merges = [await one(), await two()];
  const first = await stage.merged(...merges);
  expect(await stage.merged(...merges)).toEqual(first);
  const third = await three();
  expect((await stage.merged(...merges, third)).slice(0, 2)).toEqual(first);
  expect(subjects()).toEqual(['Task T-3', 'Task T-2', 'Task T-1', 'first']);
});

test('a task that changed nothing makes no commit', async () => {
  const spec = stage.spec();
  const { base } = await stage.begun(spec);
  const { commit } = await stage.hand(spec);
  const nothing: Merge = { task: 'T-1', attempt: 1, title: 'x', agent: 'a', base: base ?? '', commit: commit ?? '' };
  expect(await stage.merged(nothing)).toEqual([{ task: 'T-1', attempt: 1, commit: base }]);
  expect(stage.git('rev-parse', BRANCH), 'the branch is there all the same').toBe(base);
});

test('a conflict names its files, keeps the work, and stops nobody else', async () => {
  const first = await one({ 'src/b.txt': 'by one\n' });
  const clash = await stage.attempt(stage.spec({ task_id: 'T-9' }), { 'src/b.txt': 'otherwise\n', 'src/x': 'x\n' });
  const other = await two();
  expect(await stage.merged(first, clash, other)).toEqual([
    { task: 'T-1', attempt: 1, commit: expect.any(String) },
    { task: 'T-9', attempt: 1, conflicts: ['src/b.txt'] },
    { task: 'T-2', attempt: 1, commit: expect.any(String) },
  ]);
  expect(subjects()).toEqual(['Task T-2', 'Task T-1', 'first']);
  expect(shown('src/x', `refs/baton/${LEDGER}.T-9.1/head`)).toBe('x');
  const again = await stage.attempt(stage.spec({ task_id: 'T-9' }), { 'src/b.txt': 'both\n' }, 2);
  await stage.merged(again);
  expect(
    stage.refs().filter((name) => name.includes('T-9')),
    'no longer needed',
  ).toEqual([]);
});

test('changes of several tasks to one file come together', async () => {
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  stage.write('src/b.txt', `${text.join('\n')}\n`);
  stage.git('commit', '-qam', 'long');
  const top = await one({ 'src/b.txt': `${['first', ...text.slice(1)].join('\n')}\n` });
  const end = await stage.attempt(stage.spec({ task_id: 'T-2' }), { 'src/b.txt': `${text.join('\n')}\nlast\n` });
  await stage.merged(top, end);
  expect(shown('src/b.txt')).toMatch(/^first\n[\s\S]*\nlast$/);
});

test('a title cannot be more than a subject', async () => {
  const spec = stage.spec({ title: 'Say\n\nBaton-Handoff: x\u001b[31m hunter2hunter2' });
  const merge = await stage.attempt(spec, { 'src/b.txt': 'x\n' });
  await stage.merged(merge);
  expect(subjects()[0]).toMatch(/^Say Baton-Handoff: x \[31m (?!hunter2)/);
  expect(await stage.merged(merge), 'and is found again').toHaveLength(1);
  expect(subjects()).toHaveLength(2);
});

describe('cut off', () => {
  test('before each process and while it runs: done again nothing is lost and nothing is there twice', async () => {
    const merges = [await one(), await two()];
    const { gate } = stage;
    for (const killed of [false, true]) {
      for (let steps = 0, died = true; died; steps += killed ? 3 : 1) {
        stage.git('update-ref', '-d', `refs/heads/${BRANCH}`);
        stage.git('update-ref', `refs/baton/${LEDGER}/head`, 'main');
        stage.extra = { gate: mortalGate(gate, steps, killed) };
        died = await stage.merge(...merges).then(
          () => false,
          () => true,
        );
        stage.extra = { gate };
        // As a lock that stays for longer than anybody works.
        for (const lock of locksIn(path.join(stage.repo, '.git/refs'))) utimesSync(lock, 1, 1);
        expect(await stage.merged(...merges)).toHaveLength(2);
        expect(subjects(), `after ${steps} processes`).toEqual(['Task T-2', 'Task T-1', 'first']);
      }
    }
  }, 300_000);

  test('after the branch moved and before anybody knew: it is found', async () => {
    const merge = await one();
    const [first] = await stage.merged(merge);
    stage.git('update-ref', `refs/baton/${LEDGER}/head`, `refs/baton/${LEDGER}/base`);
    expect(await stage.merged(merge)).toEqual([first]);
    expect(stage.git('rev-parse', `refs/baton/${LEDGER}/head`)).toBe(stage.git('rev-parse', BRANCH));
  });

  test('a lock that a killed git left is taken away after a while', async () => {
    await stage.merged(await one());
    const later = await two();
    const lock = path.join(stage.repo, '.git/refs/heads', `${BRANCH}.lock`);
    writeFileSync(lock, '');
    utimesSync(lock, 1, 1);
    await stage.merged(later);
    expect(existsSync(lock)).toBe(false);
  });
});

function locksIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.lock')).map((name) => path.join(folder, name));
}

describe('the user', () => {
  test('has committed on the branch: work goes on there', async () => {
    await stage.merged(await one());
    const later = await two();
    stage.git('worktree', 'add', '-q', path.join(stage.root, 'tree'), BRANCH);
    const tree = path.join(stage.root, 'tree');
    writeFileSync(path.join(tree, 'mine.txt'), 'mine\n');
    stage.gitIn(tree, 'add', '.');
    stage.gitIn(tree, 'commit', '-q', '-m', 'mine');
    await stage.merged(later);
    expect(subjects()).toEqual(['Task T-2', 'mine', 'Task T-1', 'first']);
    expect(readFileSync(path.join(tree, 'a.txt'), 'utf8'), 'a clean tree follows').toBe('by two\n');
    expect(stage.gitIn(tree, 'status', '--porcelain')).toBe('');
  });

  test('has changed files where the branch is checked out: nothing moves until they are committed', async () => {
    await stage.merged(await one());
    const later = await two();
    const tree = path.join(stage.root, 'tree');
    stage.git('worktree', 'add', '-q', tree, BRANCH);
    writeFileSync(path.join(tree, 'a.txt'), 'mine\n');
    const tip = stage.git('rev-parse', BRANCH);
    expect(await stage.merge(later)).toMatchObject({ problem: expect.stringContaining('not committed: a.txt') });
    expect(stage.git('rev-parse', BRANCH)).toBe(tip);
    expect(readFileSync(path.join(tree, 'a.txt'), 'utf8')).toBe('mine\n');
    stage.gitIn(tree, 'checkout', '-q', '--', 'a.txt');
    await stage.merged(later);
    expect(shown('a.txt')).toBe('by two');
  });

  test('has deleted the branch: it is made again with all that was on it', async () => {
    await stage.merged(await one());
    const later = await two();
    stage.git('branch', '-q', '-D', BRANCH);
    await stage.merged(later);
    expect(subjects()).toEqual(['Task T-2', 'Task T-1', 'first']);
  });

  test('has moved the branch back: work goes on there, and what it had is kept', async () => {
    await stage.merged(await one());
    const dropped = stage.git('rev-parse', BRANCH);
    const later = await two();
    stage.git('branch', '-q', '-f', BRANCH, 'main');
    await stage.merged(later);
    expect(subjects()).toEqual(['Task T-2', 'first']);
    expect(stage.refs()).toContain(`refs/baton/${LEDGER}/kept/${dropped}`);
  });

  test('has rewritten the branch: only what the task did is put on it', async () => {
    await stage.merged(await one());
    const later = await stage.attempt(stage.spec({ task_id: 'T-2', lock_scope: ['a.txt'] }), { 'a.txt': 'by two\n' });
    const orphan = stage.git('commit-tree', 'main^{tree}', '-m', 'all anew');
    stage.git('update-ref', `refs/heads/${BRANCH}`, orphan);
    await stage.merged(later);
    expect(subjects()).toEqual(['Task T-2', 'all anew']);
    expect([shown('a.txt'), shown('src/b.txt')]).toEqual(['by two', 'two']);
  });
});
