import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { learnIncluded } from '../../src/workspace/included-secrets.js';
import { jobFolder } from '../../src/workspace/job-folder.js';
import { interruptedGate } from './mortal-gate.js';
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
  expect(prepared).toMatchObject({ folder: stage.workspace, branch: BRANCH, base: stage.git('rev-parse', 'HEAD') });
  expect(stage.read('a.txt'), 'as it was committed').toBe('one\n');
  expect(JSON.parse(stage.read('worklogs/T-1.jsonl'))).toMatchObject({ actor: 'baton', action: 'assign' });
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

test('also when another one says it in the very moment', async () => {
  const first = stage.git('rev-parse', 'HEAD');
  stage.git('commit', '-q', '--allow-empty', '-m', 'second');
  const base = `refs/baton/${LEDGER}/base`;
  const { gate } = stage;
  for (let step = 1; step <= 8; step += 1) {
    let isTheirs = false;
    const claim = (): void => {
      isTheirs = !stage.refs().includes(base);
      if (isTheirs) stage.git('update-ref', base, first);
    };
    stage.extra = { gate: interruptedGate(gate, step, claim) };
    const begun = await stage.begun(stage.spec({ task_id: `T-${step}` }));
    expect(begun.base, `before process ${step}`).toBe(stage.git('rev-parse', base));
    if (isTheirs) expect(begun.base).toBe(first);
    for (const ref of [base, `refs/baton/${LEDGER}/head`]) stage.git('update-ref', '-d', ref);
  }
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
  ['baton.json', 'baton.json: baton.json holds control files'],
  ['src/../../out', '"src/../../out" leaves the workspace'],
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
  for (const worklog_path of ['../out.jsonl', '.git/hooks/post-checkout', '/etc/passwd', 'a.txt/log']) {
    expect(await stage.begin(stage.spec({ task_id: 'T-3', worklog_path }))).toHaveProperty('refused');
  }
});

test('the copy of the worklog begins with what is known', async () => {
  const earlier = stage.entry({ action: 'assigned' });
  await stage.begun(stage.spec(), { worklog: earlier });
  const [first, own, rest] = stage.read('worklogs/T-1.jsonl').split('\n');
  expect([first, JSON.parse(own ?? '').actor, rest]).toEqual([earlier, 'baton', '']);
});

describe('what `.worktreeinclude` names', () => {
  const include = (file: string): void => {
    stage.write('.worktreeinclude', `${file}\n`);
    stage.git('add', '.worktreeinclude');
    stage.git('commit', '-q', '-m', 'include');
    stage.write(file, 'KEY=abcdefgh12345678\n');
  };

  test('is there, and not committed', async () => {
    include('src/.env');
    const spec = stage.spec();
    await stage.begun(spec);
    expect(stage.read('src/.env')).toContain('KEY=');
    expect((await stage.hand(spec)).changed.files).toBe(0);
  });

  test.each([
    ['the file', 'src/deep/.env'],
    ['its folder', 'src/deep'],
  ])('is not written through a link that an earlier task has left in place of %s', async (_, link) => {
    include('src/deep/.env');
    const outside = path.join(stage.root, 'outside');
    mkdirSync(outside);
    const spec = stage.spec();
    const { base } = await stage.begun(spec);
    rmSync(path.join(stage.workspace, 'src/deep'), { recursive: true });
    mkdirSync(path.dirname(path.join(stage.workspace, link)), { recursive: true });
    symlinkSync(link.endsWith('.env') ? path.join(outside, '.env') : outside, path.join(stage.workspace, link));
    // Past what ignores the file.
    stage.work('src/.gitignore', '!.env\n');
    const { commit } = await stage.hand(spec);
    await stage.merged({ task: 'T-1', attempt: 1, title: 'x', agent: 'a', base: base ?? '', commit: commit ?? '' });
    await stage.begun(stage.spec({ task_id: 'T-2' }));
    expect(lstatSync(path.join(stage.workspace, link)).isSymbolicLink(), 'the link is there').toBe(true);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('is learnt from again without waiting for a pipe', async () => {
    include('.env');
    await stage.begun(stage.spec());
    rmSync(path.join(stage.workspace, '.env'));
    execFileSync('mkfifo', [path.join(stage.workspace, '.env')]);
    learnIncluded(jobFolder(stage.home, stage.run), stage.options);
  });
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
