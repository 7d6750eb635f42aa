import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { taskRun } from '../../src/core/task/task-order.js';
import { cleanUp } from '../../src/workspace/clean-up.js';
import { jobFolder } from '../../src/workspace/job-folder.js';
import { BRANCH, LEDGER, TaskStage } from './task-stage.js';

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

const clean = (run: string) => {
  stage.run = run;
  return cleanUp({ ...stage.options, held: stage.held, signal: stage.abort.signal });
};
const ATTEMPT = taskRun(LEDGER, 'T-1', 1);

test('an attempt leaves nothing, and no branch comes of it', async () => {
  await stage.merged(await stage.attempt(stage.spec(), { 'src/b.txt': 'x\n' }));
  const before = stage.refs();
  expect(await clean(ATTEMPT)).toEqual({ removed: true, refsRemoved: true, kept: null });
  expect(stage.refs()).toEqual(before);
  const { workspace, git, record } = jobFolder(stage.home, ATTEMPT);
  expect([workspace, git, record].filter(existsSync)).toEqual([]);
});

test('work that waits to be merged is kept, and can still be merged', async () => {
  const merge = await stage.attempt(stage.spec(), { 'src/b.txt': 'x\n' });
  expect(await clean(ATTEMPT)).toMatchObject({ removed: true, refsRemoved: false });
  expect(await stage.merged(merge)).toHaveLength(1);
  expect(stage.git('show', `${BRANCH}:src/b.txt`)).toBe('x');
});

test('the refs of a ledger go once its branch is in another one', async () => {
  await stage.merged(await stage.attempt(stage.spec(), { 'src/b.txt': 'x\n' }));
  expect(await clean(LEDGER)).toMatchObject({ refsRemoved: false, kept: expect.stringContaining(BRANCH) });
  expect(stage.refs()).toContain(`refs/heads/${BRANCH}`);
  await stage.merged(await stage.attempt(stage.spec({ task_id: 'T-2', lock_scope: ['a.txt'] }), { 'a.txt': 'y\n' }));
  stage.git('merge', '-q', BRANCH);
  expect(await clean(LEDGER)).toEqual({ removed: true, refsRemoved: true, kept: null });
  expect(stage.refs()).toEqual(['refs/heads/main']);
});
