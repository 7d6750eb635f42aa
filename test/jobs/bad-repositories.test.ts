import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const WORKS = `echo done > work.txt\n${prints({ ...ANSWERS.completed, evidence_files: ['work.txt'] })}`;
const RUN = ['run', 'Work', '--id', 'j', '--agent', 'agent'];

async function prepared(): Promise<JobStage> {
  const stage = new JobStage();
  await stage.shell('agent', WORKS);
  return stage;
}

async function works(stage: JobStage): Promise<string> {
  const before = stage.checkout();
  const run = await stage.cli(...RUN);
  expect([run.code, run.err]).toEqual([0, expect.any(String)]);
  expect(stage.git('show', 'baton/j:work.txt')).toBe('done');
  expect(stage.checkout()).toBe(before);
  return run.err;
}

describe('a repository in which a job works as in any other:', { timeout: LONG_MS }, () => {
  test('with uncommitted files, which are left out and said', async () => {
    const stage = await prepared();
    stage.write('add.js', 'dirty\n');
    stage.write('untracked.txt', 'x\n');
    stage.git('add', 'add.js');
    const said = await works(stage);
    expect(said).toMatch(/2 uncommitted files|leftOut=2/);
    expect(stage.git('show', 'baton/j:add.js')).toBe('exports.add = (a, b) => a - b;');
  });

  test('with a detached HEAD', async () => {
    const stage = await prepared();
    stage.git('checkout', '--quiet', '--detach');
    await works(stage);
    const land = await stage.json('job', 'land', 'j');
    expect([land.exit, land.printed.outcome]).toMatchObject([1, { reason: expect.stringContaining('--into') }]);
    expect((await stage.json('job', 'land', 'j', '--into', 'main')).printed.status).toBe('landed');
  });

  test.each(['rebase', 'merge', 'cherry-pick', 'revert'])('in the middle of a %s', async (what) => {
    const stage = await prepared();
    stage.git('checkout', '--quiet', '-b', 'other');
    stage.write('add.js', 'other\n');
    stage.commit('other');
    stage.write('add.js', 'another\n');
    stage.commit('another');
    stage.git('checkout', '--quiet', 'main');
    stage.write('add.js', 'main\n');
    stage.commit('main');
    const argv =
      {
        rebase: ['rebase', 'other'],
        merge: ['merge', 'other'],
        'cherry-pick': ['cherry-pick', 'other'],
        revert: ['revert', '--no-edit', 'other'],
      }[what] ?? [];
    expect(() => stage.git(...argv)).toThrow();
    const said = await works(stage);
    expect(said).toMatch(new RegExp(`in the middle of a ${what}`));
    const land = await stage.json('job', 'land', 'j');
    expect(land.exit, 'a tree with conflicts is not touched').toBe(1);
  });

  test('with submodules, whose folders stay as they are', async () => {
    const stage = await prepared();
    const inner = new JobStage();
    stage.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.repo, 'sub');
    stage.commit('submodule');
    await works(stage);
    expect(stage.git('ls-tree', 'baton/j', 'sub')).toMatch(/^160000/);
    expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
    expect(stage.git('status', '--porcelain')).toBe('');
  });

  test('without a working folder', async () => {
    const stage = await prepared();
    const bare = path.join(stage.folder, 'bare.git');
    execFileSync('git', ['clone', '--quiet', '--bare', stage.repo, bare]);
    expect((await stage.json(...RUN, '--repo', bare)).printed.status).toBe('SUCCESS');
    expect(execFileSync('git', ['show', 'baton/j:work.txt'], { cwd: bare, encoding: 'utf8' })).toBe('done\n');
    expect((await stage.json('job', 'land', 'j')).printed.status).toBe('landed');
  });

  test('whose settings, hooks and attributes would run programs', async () => {
    const stage = await prepared();
    const trap = path.join(stage.folder, 'trap.sh');
    const sprung = path.join(stage.folder, 'sprung');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${sprung}\nexit 0\n`);
    chmodSync(trap, 0o755);
    stage.write('.gitattributes', '* filter=trap diff=trap merge=trap\n');
    stage.commit('attributes');
    const hooks = path.join(stage.folder, 'hooks');
    mkdirSync(hooks);
    const NAMES = [
      'post-checkout',
      'pre-commit',
      'post-commit',
      'reference-transaction',
      'post-index-change',
      'post-rewrite',
      'pre-auto-gc',
    ];
    for (const name of NAMES) {
      symlinkSync(trap, path.join(hooks, name));
      symlinkSync(trap, path.join(stage.repo, '.git/hooks', name));
    }
    const included = path.join(stage.folder, 'included');
    writeFileSync(
      included,
      `[core]\n\tsshCommand = ${trap}\n\tpager = ${trap}\n\teditor = ${trap}\n[diff]\n\texternal = ${trap}\n`,
    );
    appendFileSync(
      path.join(stage.repo, '.git/config'),
      [
        `[core]\n\tfsmonitor = ${trap}\n\thooksPath = ${hooks}\n\talternateRefsCommand = ${trap}`,
        `[filter "trap"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n\tprocess = ${trap}`,
        `[diff "trap"]\n\ttextconv = ${trap}\n\tcommand = ${trap}`,
        `[merge "trap"]\n\tdriver = ${trap}`,
        `[includeIf "gitdir:**"]\n\tpath = ${included}`,
        `[gpg]\n\tprogram = ${trap}\n[commit]\n\tgpgSign = true\n[credential]\n\thelper = ${trap}`,
      ].join('\n'),
    );
    const run = await stage.json(...RUN, '--dirty', '--check', 'true', '--protect', 'test/**');
    expect(run.printed.status).toBe('SUCCESS');
    await stage.ok('job', 'diff', 'j');
    await stage.ok('job', 'show', 'j');
    expect(existsSync(sprung) ? execFileSync('cat', [sprung], { encoding: 'utf8' }) : '').toBe('');
    rmSync(sprung, { force: true });
  });
});

describe('a repository in which no job can begin is said, with what helps:', { timeout: LONG_MS }, () => {
  async function refused(stage: JobStage, ...more: string[]): Promise<string> {
    const { exit, printed } = await stage.json(...RUN, ...more);
    expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
    return String(printed.reason);
  }

  test('without commits; it goes on after the first', async () => {
    const stage = await prepared();
    rmSync(path.join(stage.repo, '.git'), { recursive: true });
    stage.git('init', '--quiet', '--initial-branch=main');
    expect(await refused(stage)).toMatch(/no commit to start from/);
    stage.commit('first');
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
  });

  test('with HEAD on a branch that is not born; a base helps', async () => {
    const stage = await prepared();
    stage.git('checkout', '--quiet', '--orphan', 'unborn');
    expect(await refused(stage)).toMatch(/no commit to start from.*name a base/);
    const other = ['run', 'Work', '--id', 'k', '--agent', 'agent', '--base', 'main'];
    expect((await stage.json(...other)).printed.status).toBe('SUCCESS');
  });

  test('with a base that does not exist, or is no commit', async () => {
    const stage = await prepared();
    expect(await refused(stage, '--base=--upload-pack=/bin/sh')).toMatch(/knows no commit/);
    const tree = await stage.json('run', 'Work', '--id', 'k', '--agent', 'agent', '--base', 'HEAD^{tree}');
    expect(tree.printed.reason).toMatch(/knows no commit/);
  });

  test('with a branch of that name already, which stays', async () => {
    const stage = await prepared();
    stage.git('branch', 'baton/j');
    const tip = stage.git('rev-parse', 'baton/j');
    expect(await refused(stage)).toMatch(/already has refs\/heads\/baton\/j/);
    expect(stage.git('rev-parse', 'baton/j')).toBe(tip);
    stage.git('branch', '--quiet', '-D', 'baton/j');
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
  });

  test('when there is no git', async () => {
    const stage = await prepared();
    const bin = path.join(stage.folder, 'bin');
    mkdirSync(bin);
    for (const program of ['sh', 'cat', 'node'])
      symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), path.join(bin, program));
    stage.path = bin;
    expect(await refused(stage)).toMatch(/git was not found/);
    stage.path = process.env.PATH ?? '';
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
  });

  test('when git goes away in the middle', async () => {
    const stage = new JobStage();
    const bin = path.join(stage.folder, 'bin');
    mkdirSync(bin);
    const link = path.join(bin, 'git');
    symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), link);
    for (const program of ['sh', 'cat', 'rm', 'env'])
      symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), path.join(bin, program));
    await stage.shell('agent', `rm -f ${link}\n${WORKS}`);
    stage.path = bin;
    expect(await refused(stage)).toMatch(/git was not found/);
    stage.path = process.env.PATH ?? '';
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });
});
