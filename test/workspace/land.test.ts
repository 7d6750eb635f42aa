import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cleanUp } from '../../src/workspace/clean-up.js';
import { diffJob } from '../../src/workspace/diff-job.js';
import { type LandRequest, landJob } from '../../src/workspace/land.js';
import { RUN, Stage } from './stage.js';

let here: Stage;
let work: string;
beforeEach(async () => {
  here = new Stage().commitFirst();
  await here.ready();
  here.work('a.txt', 'work\n');
  here.work('new/file.txt', 'work\n');
  work = (await here.collect()).commit ?? '';
});
afterEach(() => here.clear());

const doing = () => ({ ...here.options, held: here.held, signal: here.abort.signal });
const land = async (more: Partial<LandRequest> = {}) => {
  const { bodies, ...outcome } = await landJob({ ...doing(), job: here.run, repo: here.repo, checks: [], ...more });
  return outcome;
};
const commitHere = (file: string, text: string): string => {
  here.write(file, text);
  here.git('add', '.');
  here.git('commit', '-q', '-m', `user: ${file}`);
  return here.git('rev-parse', 'HEAD');
};

describe('landing', () => {
  test('moves the branch forward, and the clean tree that has it checked out', async () => {
    const from = here.git('rev-parse', 'HEAD');
    here.write('x.log', 'ignored');
    expect(await land({ checks: [['grep', '-q', 'work', 'a.txt', 'new/file.txt']] })).toEqual({
      type: 'landed',
      from,
      to: work,
      ref: 'refs/heads/main',
      files: 2,
    });
    expect(here.git('status', '--porcelain')).toBe('');
    expect(here.git('rev-parse', 'HEAD')).toBe(work);
    expect(here.git('show', 'HEAD:a.txt')).toBe('work');
    expect(await land(), 'again').toEqual({ type: 'landed', from: work, to: work, ref: 'refs/heads/main', files: 0 });
    expect(existsSync(path.join(path.dirname(here.workspace), 'land'))).toBe(false);
  });

  test('merges when the branch went on, and checks what comes of it', async () => {
    const from = commitHere('user.txt', 'user\n');
    const checks = [['sh', '-c', 'cat a.txt user.txt new/file.txt && test ! -e .git']];
    const landed = await land({ checks });
    expect(landed).toMatchObject({ type: 'landed', from, files: 2 });
    expect(here.git('log', '-1', '--format=%P|%s')).toBe(`${from} ${work}|Land ${RUN}`);
    expect(here.git('status', '--porcelain')).toBe('');
  });

  test('squashes into one commit', async () => {
    const from = here.git('rev-parse', 'HEAD');
    await land({ squash: true, subject: 'Fix the login' });
    expect(here.git('log', '-1', '--format=%P|%s')).toBe(`${from}|Fix the login`);
    expect(here.git('diff', 'HEAD', work)).toBe('');
  });

  test('into a branch that nobody has checked out touches no tree', async () => {
    here.git('branch', 'other');
    const before = here.git('rev-parse', 'HEAD');
    here.write('a.txt', 'dirty\n');
    expect(await land({ into: 'other' })).toMatchObject({ type: 'landed', ref: 'refs/heads/other', to: work });
    expect(here.git('rev-parse', 'HEAD', 'other')).toBe(`${before}\n${work}`);
    expect(here.git('status', '--porcelain')).toBe('M a.txt');
  });

  test('tells conflicts by file, and moves nothing', async () => {
    const from = commitHere('a.txt', 'user\n');
    const before = here.fingerprint();
    expect(await land()).toEqual({ type: 'conflict', files: ['a.txt'] });
    rmSync(path.join(here.repo, 'a.txt'));
    here.git('checkout', '-q', 'a.txt');
    expect(here.git('rev-parse', 'main')).toBe(from);
    expect(Object.keys(before)).toContain('refs');
  });

  test('stops when a check fails on the merged tree', async () => {
    const before = here.fingerprint();
    expect(await land({ checks: [['true'], ['false']] })).toMatchObject({
      type: 'checks-failed',
      results: [{ exitCode: 0 }, { exitCode: 1 }],
    });
    expect(here.fingerprint()).toEqual(before);
  });

  test('never touches a tree with changes', async () => {
    here.write('src/b.txt', 'changed\n');
    here.write('staged.txt', 'x');
    here.git('add', 'staged.txt');
    const before = here.fingerprint();
    expect(await land()).toEqual({
      type: 'refused',
      reason: expect.stringMatching(/not committed: src\/b.txt, staged.txt\. Commit or stash/),
    });
    expect(here.fingerprint()).toEqual(before);
  });

  test('never overwrites a file that is in the way, be it ignored or not', async () => {
    here.write('new/file.txt', 'mine\n');
    const before = here.fingerprint();
    expect(await land()).toEqual({ type: 'refused', reason: expect.stringMatching(/in the way[\s\S]*new\/file.txt/) });
    here.write('.git/info/exclude', 'new/\n');
    expect(await land()).toMatchObject({ type: 'refused' });
    here.write('.git/info/exclude', '');
    expect(here.git('status', '--porcelain')).toBe((before as { status: string }).status);
  });

  test('loses the race against a commit of the user without a trace', async () => {
    here.write('a.txt', 'one\n');
    const hurry = [
      ['sh', '-c', `cd ${here.repo} && HOME=${here.environment.HOME} git commit -q --allow-empty -m hurry`],
    ];
    expect(await land({ checks: hurry })).toEqual({ type: 'moved' });
    expect(here.git('log', '-1', '--format=%s')).toBe('hurry');
    expect(here.git('status', '--porcelain')).toBe('');
    expect(await land()).toMatchObject({ type: 'landed' });
  });

  test('runs no hook and no file monitor of the user', async () => {
    const mark = path.join(here.root, 'ran');
    here.put(path.join(here.root, 'script'), `#!/bin/sh\necho ran >> ${mark}\n`, 0o755);
    here.git('config', 'core.fsmonitor', path.join(here.root, 'script'));
    for (const hook of ['post-merge', 'reference-transaction', 'post-index-change', 'post-checkout']) {
      here.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${mark}\n`, 0o755);
    }
    expect(await land()).toMatchObject({ type: 'landed' });
    expect(existsSync(mark)).toBe(false);
  });

  test('refuses what cannot be meant', async () => {
    const reason = async (more: Partial<LandRequest>) => ((await land(more)) as { reason?: string }).reason;
    expect(await reason({ into: 'nowhere' })).toMatch(/no branch refs\/heads\/nowhere/);
    expect(await reason({ into: `baton/${RUN}` })).toMatch(/its own branch/);
    expect(await reason({ into: '--all' })).toMatch(/no name of a branch/);
    expect(await reason({ into: 'a..b' })).toMatch(/no name of a branch/);
    expect(await reason({ job: 'unknown' })).toMatch(/nothing to land/);
    here.git('checkout', '-q', '--detach');
    expect(await reason({})).toMatch(/No branch is checked out/);
  });
});

test('the diff of a job is there without its workspace', async () => {
  rmSync(path.dirname(here.workspace), { recursive: true });
  const diff = await diffJob({ ...doing(), repo: here.repo });
  expect(diff).toMatchObject({
    to: work,
    cut: false,
    files: [
      { path: 'a.txt', added: 1, removed: 1 },
      { path: 'new/file.txt', added: 1, removed: 0 },
    ],
  });
  expect((diff as { patch: string }).patch).toMatch(/-one\n\+work\n[\s\S]*\+work\n/);
});

describe('cleaning up', () => {
  test('brings what was left to the user first, and keeps a branch that is nowhere else', async () => {
    here.work('left.txt', 'left\n');
    expect(await cleanUp(doing())).toEqual({
      removed: true,
      refsRemoved: false,
      kept: expect.stringContaining(`baton/${RUN}`),
    });
    expect(existsSync(here.workspace)).toBe(false);
    expect(here.git('show', `baton/${RUN}:left.txt`)).toBe('left');
  });

  test('removes the branch of a job that landed', async () => {
    await land();
    expect(await cleanUp(doing())).toEqual({ removed: true, refsRemoved: true, kept: null });
    expect(here.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(await cleanUp(doing()), 'again').toMatchObject({ removed: true });
  });

  test('keeps a branch that somebody has checked out, or has gone on with', async () => {
    here.git('branch', 'copy', work);
    here.git('checkout', '-q', `baton/${RUN}`);
    expect(await cleanUp(doing())).toMatchObject({ removed: true, refsRemoved: false });
    expect(here.git('rev-parse', `baton/${RUN}`)).toBe(work);
  });

  test('keeps a folder without a repository, for it is the only copy', async () => {
    here.run = 'no-repository';
    await here.ready({ repository: null });
    here.work('a.txt', 'x');
    expect(await cleanUp(doing())).toMatchObject({ removed: false, kept: expect.stringContaining('only copy') });
    rmSync(path.join(here.workspace, 'a.txt'));
    expect(await cleanUp(doing())).toMatchObject({ removed: true, kept: null });
  });

  test('keeps everything when the repository is gone', async () => {
    rmSync(path.join(here.repo, '.git'), { recursive: true });
    expect(await cleanUp(doing())).toMatchObject({ removed: false, kept: expect.stringContaining('only copy') });
    expect(here.read('a.txt')).toBe('work\n');
  });
});
