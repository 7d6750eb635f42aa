import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { confineJob } from '../../src/sandbox/confine-job.js';
import type { Confined } from '../../src/sandbox/sandbox.js';
import { PATH, Scene } from './scene.js';

let scene: Scene;
let repo: string;
beforeEach(() => {
  scene = new Scene();
  repo = path.join(scene.outside, 'repo');
  git(scene.outside, 'init', '-q', repo);
  writeFileSync(path.join(repo, 'a.txt'), 'a\n');
  git(repo, 'add', '.');
  git(repo, '-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-q', '-m', 'first');
  rmSync(scene.workspace, { recursive: true });
  git(scene.outside, 'clone', '-q', '--shared', repo, scene.workspace);
});
afterEach(() => scene.clear());

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

async function run({ sandbox, confinement }: Confined, script: string) {
  return scene.run(sandbox, ['sh', '-c', script], confinement);
}

describe.runIf(process.platform === 'linux')('a command of a job', () => {
  const confined = async (changes = {}): Promise<Confined> => {
    const { sandbox } = await chooseSandbox('bwrap', PATH);
    const readOnly = [path.join(repo, '.git/objects')];
    return confineJob(sandbox, { home: scene.home, workspace: scene.workspace, readOnly, ...changes });
  };

  test('has git with the objects that the workspace borrows', async () => {
    const who = '-c user.name=a -c user.email=b';
    const script = `echo b > b.txt; git add -A; git ${who} commit -q -m second; git log --format=%s; git status --short`;
    expect(await run(await confined(), script)).toMatchObject({ stdout: 'second\nfirst\n', exitCode: 0 });
    expect(git(scene.workspace, 'log', '--format=%s'), 'also seen from outside').toBe('second\nfirst\n');
    expect(git(scene.workspace, 'status', '--short'), 'nothing of the sandbox is left').toBe('');
  });

  test('cannot write to what is borrowed, nor see the rest of that repository', async () => {
    const objects = path.join(repo, '.git/objects');
    const { stdout } = await run(await confined(), `touch ${objects}/x || echo refused; ls -A ${repo} ${repo}/.git`);
    expect(stdout).toBe(`refused\n${repo}:\n.git\n\n${repo}/.git:\nobjects\n`);
  });

  test.each([
    'echo x > baton.json',
    'git config core.fsmonitor evil',
    'echo x > .git/hooks/post-checkout',
    'echo "* filter=evil" > .git/info/attributes',
    'mkdir -p .git/modules/evil && echo x > .git/modules/evil/config',
  ])('does not get through with: %s', async (script) => {
    expect((await run(await confined(), script)).exitCode).not.toBe(0);
    expect(git(scene.workspace, 'status', '--short')).toBe('');
  });

  test('may make a repository where there is none', async () => {
    rmSync(scene.workspace, { recursive: true });
    mkdirSync(scene.workspace);
    expect(await run(await confined(), 'git init -q && git status --short')).toMatchObject({ stdout: '', exitCode: 0 });
  });
});
