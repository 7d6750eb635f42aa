import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confineJob } from '../../src/sandbox/confine-job.js';
import { noneSandbox } from '../../src/sandbox/modes/none.js';
import { RUN, Stage } from './stage.js';

let here: Stage;
beforeEach(() => {
  here = new Stage();
});
afterEach(() => here.clear());

describe('a workspace', () => {
  test('has the files of the last commit on a branch of its own, and the user sees nothing of it', async () => {
    here.commitFirst();
    here.write('a.txt', 'changed\n');
    here.write('new.txt', 'new\n');
    here.write('x.log', 'ignored\n');
    const before = here.fingerprint();
    const ready = await here.ready();
    const head = here.git('rev-parse', 'HEAD');
    expect(ready).toEqual({
      folder: here.workspace,
      branch: `baton/${RUN}`,
      base: head,
      setupMs: 0,
      leftOut: 2,
      notes: [],
    });
    expect(here.read('a.txt')).toBe('one\n');
    expect(here.has('new.txt')).toBe(false);
    expect(here.git('rev-parse', `refs/baton/${RUN}/base`, `baton/${RUN}`)).toBe(`${head}\n${head}`);
    expect(here.fingerprint()).toEqual(before);
    expect(here.rows).toEqual([]);
  });

  test('has a repository that works for the agent', async () => {
    here.commitFirst();
    await here.ready();
    const git = (...args: string[]) => here.gitIn(here.workspace, ...args);
    expect(git('status', '--porcelain', '--branch')).toBe(`## baton/${RUN}`);
    expect(git('log', '--format=%s')).toBe('first');
    here.work('a.txt', 'mine\n');
    git('commit', '-q', '-a', '-m', 'by the agent');
    expect(git('log', '--format=%s %an')).toBe('by the agent Agent\nfirst User');
    expect(git('remote')).toBe('');
    expect(here.git('log', '--all', '--format=%s')).toBe('first');
  });

  test('has everything of git that a sandbox guards, so that nothing is made and taken away for every command', async () => {
    here.commitFirst();
    await here.ready();
    const { confinement } = confineJob(noneSandbox, { home: here.root, workspace: here.workspace });
    const missing = confinement.control.filter((one) => !existsSync(one));
    expect(missing).toEqual([path.join(here.workspace, 'baton.json')]);
  });

  test('keeps its base when the user rewrites history and collects garbage', async () => {
    here.commitFirst();
    here.write('a.txt', 'second\n');
    here.git('commit', '-q', '-a', '-m', 'second');
    await here.ready();
    here.git('reset', '-q', '--hard', 'HEAD^');
    here.git('reflog', 'expire', '--expire=now', '--all');
    here.git('branch', '-q', '-D', `baton/${RUN}`);
    here.git('gc', '-q', '--prune=now');
    expect(here.gitIn(here.workspace, 'show', 'HEAD:a.txt')).toBe('second');
  });

  test('brings uncommitted files along as a first commit when that is asked for', async () => {
    here.commitFirst();
    here.write('a.txt', 'changed\n');
    here.write('staged.txt', 'staged\n');
    here.git('add', 'staged.txt');
    here.git('rm', '-q', '--cached', 'src/b.txt');
    rmSync(path.join(here.repo, 'src/b.txt'));
    here.write('deep/new.txt', 'new\n');
    here.write('x.log', 'ignored\n');
    const before = here.fingerprint();
    const { base, leftOut } = await here.ready({ dirty: true });
    expect(leftOut).toBe(0);
    expect(here.git('diff', '--name-status', 'HEAD', base ?? '')).toBe(
      'M\ta.txt\nA\tdeep/new.txt\nD\tsrc/b.txt\nA\tstaged.txt',
    );
    expect(here.read('deep/new.txt')).toBe('new\n');
    expect(here.has('x.log')).toBe(false);
    expect(here.git('log', '-1', '--format=%P %(trailers:key=Baton-Job,valueonly)', base ?? '')).toBe(
      `${here.git('rev-parse', 'HEAD')} ${RUN}`,
    );
    expect(here.fingerprint()).toEqual(before);
  });

  test('leaves out what the user ignores everywhere or in this repository only', async () => {
    here.commitFirst();
    here.write('../.config/git/ignore', 'everywhere\n');
    here.write('.git/info/exclude', 'here\n');
    here.write('everywhere', '');
    here.write('here', '');
    expect((await here.ready({ dirty: true })).base).toBe(here.git('rev-parse', 'HEAD'));
  });

  test('starts from the commit that is named', async () => {
    here.commitFirst();
    here.git('tag', 'v1');
    here.write('a.txt', 'second\n');
    here.git('commit', '-q', '-a', '-m', 'second');
    await here.ready({ base: 'v1' });
    expect(here.read('a.txt')).toBe('one\n');
  });

  test('has only the paths that are asked for', async () => {
    here.commitFirst();
    here.write('src*/odd [1].txt', 'odd\n');
    here.write('src2/no.txt', 'no\n');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'second');
    await here.ready({ paths: ['src', 'src*/odd [1].txt'] });
    const files = here
      .gitIn(here.workspace, 'ls-files', '-t')
      .split('\n')
      .filter((line) => line.startsWith('H'));
    expect(files).toEqual(['H src*/odd [1].txt', 'H src/b.txt']);
    expect(here.has('a.txt')).toBe(false);
    expect(here.gitIn(here.workspace, 'status', '--porcelain')).toBe('');
  });

  test.each([false, true])('gets what .worktreeinclude names, never committed (dirty: %s)', async (dirty) => {
    here.commitFirst();
    here.write('.worktreeinclude', '# local\n.env\nconfig/*.local\n!config/no.local\n');
    const files = ['.env', 'config/a.local', 'config/no.local', 'other'];
    for (const file of files) here.write(file, 'x');
    expect((await here.ready({ dirty })).leftOut).toBe(dirty ? 0 : 3);
    expect(files.map((file) => here.has(file))).toEqual([true, true, dirty, dirty]);
    expect((await here.collect()).changed.files).toBe(0);
    expect(here.git('ls-tree', '-r', '--name-only', `baton/${RUN}`)).not.toMatch(/\.env|a\.local/);
  });

  test('of a bare repository, of a linked working folder, of a folder within: all work', async () => {
    here.commitFirst();
    const bare = path.join(here.root, 'bare.git');
    here.git('clone', '-q', '--bare', '.', bare);
    expect(await here.ready({ folder: bare, dirty: true })).toMatchObject({ leftOut: 0 });
    here.run = 'linked';
    const linked = path.join(here.root, 'linked');
    here.git('worktree', 'add', '-q', linked);
    here.put(path.join(linked, 'a.txt'), 'in the linked one');
    await here.ready({ folder: linked, dirty: true });
    expect(here.read('a.txt')).toBe('in the linked one');
    here.run = 'within';
    await here.ready({ folder: path.join(here.repo, 'src') });
    expect(here.has('a.txt')).toBe(true);
  });

  test('of a repository with SHA-256, and of a shallow one', async () => {
    here.git('init', '-q', '--object-format=sha256');
    here.commitFirst();
    expect((await here.ready()).base).toHaveLength(64);
    here.work('a.txt', 'new\n');
    expect((await here.collect(['a.txt'])).commit).toHaveLength(64);
    here.write('a.txt', 'second\n');
    here.git('commit', '-q', '-a', '-m', 'second');
    here.run = 'shallow';
    const shallow = path.join(here.root, 'shallow');
    here.git('clone', '-q', '--depth=1', `file://${here.repo}`, shallow);
    await here.ready({ folder: shallow });
    expect(here.gitIn(here.workspace, 'log', '--format=%s')).toBe('second');
  });

  test('is an empty folder without a repository', async () => {
    expect(await here.ready({ repository: null })).toEqual({
      folder: here.workspace,
      branch: null,
      base: null,
      setupMs: 0,
      leftOut: 0,
      notes: [],
    });
    here.work('a.txt', 'x');
    expect(await here.collect(['a.txt'])).toMatchObject({
      commit: null,
      fault: null,
      evidence: [{ path: 'a.txt', bytes: 1 }],
    });
  });

  test('says that the repository is in the middle of a merge, and that submodules are not filled in', async () => {
    here.commitFirst();
    const other = new Stage().commitFirst();
    here.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.repo, 'sub');
    here.git('commit', '-q', '-m', 'submodule');
    here.git('checkout', '-q', '-b', 'side', 'HEAD^');
    here.write('c.txt', 'c\n');
    here.git('add', 'c.txt');
    here.git('commit', '-q', '-m', 'side');
    here.git('checkout', '-q', 'main');
    here.git('merge', '-q', '--no-commit', 'side');
    const { notes } = await here.ready();
    other.clear();
    expect(notes.join('\n')).toMatch(/in the middle of a merge[\s\S]*submodules/);
  });

  test('starts from a point of another job', async () => {
    here.commitFirst();
    await here.ready();
    here.work('a.txt', 'of the first job\n');
    const { commit } = await here.collect();
    here.extra = { commitOf: async (job, point) => (job === RUN && point === 'p1' ? commit : null) };
    here.run = 'fork';
    expect((await here.ready({ forkedFrom: { job: RUN, point: 'p1' } })).base).toBe(commit);
    expect(here.read('a.txt')).toBe('of the first job\n');
    here.run = 'fork2';
    expect(await here.prepare({ forkedFrom: { job: RUN, point: 'p9' } })).toMatchObject({
      problem: expect.stringMatching(/no commit at its point p9/),
    });
  });
});

describe('the setup command', () => {
  test('runs once in the workspace, with the variables that are named', async () => {
    here.commitFirst();
    const setup = ['sh', '-c', 'echo "$SECRET/$OTHER" >> made.log; pwd >> made.log'];
    Object.assign(here.environment, { OTHER: 'other' });
    const first = await here.ready({ setup, env: ['OTHER'] });
    expect(first.setupMs).toBeGreaterThan(0);
    expect(await here.prepare({ setup, env: ['OTHER'] })).toEqual(first);
    expect(here.read('made.log')).toBe(`/other\n${here.workspace}\n`);
  });

  test('that fails is told with its output, and runs again in a clean workspace', async () => {
    here.commitFirst();
    const setup = ['sh', '-c', 'echo oh no; test -e half && exit 0; touch half; exit 3'];
    for (let time = 0; time < 2; time++) {
      const failed = await here.prepare({ setup });
      expect(failed).toMatchObject({ problem: expect.stringMatching(/"sh -c.* ended with 3/) });
      expect(here.text((failed as { output: { sha256: string } }).output)).toBe('oh no\n');
    }
    expect(await here.prepare({ setup: ['no-such-command'] })).toMatchObject({
      problem: expect.stringMatching(/ended with 127/),
    });
  });
});

describe('what keeps a workspace from being made is told in a sentence:', () => {
  const problem = async (input: Parameters<Stage['prepare']>[0] = {}) => {
    const prepared = await here.prepare(input);
    return 'problem' in prepared ? prepared.problem : JSON.stringify(prepared);
  };

  test('no git', async () => {
    here.commitFirst();
    here.environment.PATH = path.join(here.root, 'empty');
    expect(await problem()).toMatch(/git was not found. Install/);
  });

  test('a folder that is gone, or no repository, or inside .git', async () => {
    expect(await problem({ folder: path.join(here.root, 'gone') })).toMatch(/There is no folder .*gone/);
    expect(await problem()).toMatch(/is no git repository. Run `git init`/);
    here.commitFirst();
    expect(await problem({ folder: path.join(here.repo, '.git') })).toMatch(/inside a git directory/);
  });

  test('a repository without commits, a base that is unknown', async () => {
    here.git('init', '-q');
    expect(await problem()).toMatch(/no commit to start from. Commit something/);
    here.commitFirst();
    expect(await problem({ base: 'nowhere' })).toMatch(/knows no commit "nowhere"/);
    expect(await problem({ base: '--all' })).toMatch(/knows no commit "--all"/);
  });

  test('a branch in the way, or refs of another job', async () => {
    here.commitFirst();
    here.git('branch', 'baton');
    expect(await problem()).toMatch(/branch called "baton" stands in the way/);
    here.git('branch', '-q', '-D', 'baton');
    here.run = 'other';
    here.git('branch', 'baton/other');
    expect(await problem()).toMatch(/already has refs\/heads\/baton\/other/);
  });

  test('uncommitted files that belong to another commit', async () => {
    here.commitFirst();
    here.git('commit', '-q', '--allow-empty', '-m', 'second');
    here.write('a.txt', 'changed\n');
    expect(await problem({ base: 'HEAD^', dirty: true })).toMatch(/belong to HEAD/);
    expect(await here.prepare({ base: 'main', dirty: true })).toMatchObject({ leftOut: 0 });
  });
});

describe('nothing of the user runs', () => {
  test('neither hooks, nor filters, nor fsmonitor, nor what the environment says', async () => {
    const mark = path.join(here.root, 'ran');
    const script = path.join(here.root, 'script');
    here.put(script, `#!/bin/sh\necho "$0" >> ${mark}\ncat\n`, 0o755);
    here.write('.gitattributes', '*.txt filter=f diff=f\n');
    here.commitFirst();
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit']) {
      mkdirSync(path.join(here.repo, '.git/hooks'), { recursive: true });
      here.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${mark}\n`, 0o755);
    }
    for (const name of [
      'filter.f.clean',
      'filter.f.smudge',
      'core.fsmonitor',
      'diff.f.textconv',
      'diff.external',
      'core.sshCommand',
    ]) {
      here.git('config', name, script);
    }
    here.write('a.txt', 'changed\n');
    Object.assign(here.environment, {
      GIT_DIR: '/nowhere',
      GIT_EXTERNAL_DIFF: script,
      GIT_INDEX_FILE: '/nowhere',
      GIT_TRACE: mark,
    });
    rmSync(mark, { force: true });
    await here.ready({ dirty: true });
    here.work('a.txt', 'by the agent\n');
    expect(await here.collect(['a.txt'])).toMatchObject({ fault: null, changed: { files: 1 } });
    await here.check([['true']], ['src/**']);
    expect(existsSync(mark)).toBe(false);
    // The trap works: the user's own git falls into it.
    execFileSync('git', ['status'], { cwd: here.repo, stdio: 'ignore', env: { PATH: process.env.PATH } });
    expect(existsSync(mark)).toBe(true);
  });
});
