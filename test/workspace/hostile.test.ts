/** What an agent can plant in its workspace, and that it changes nothing outside of it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN, Stage } from './stage.js';

let here: Stage;
let mark: string;
let script: string;
beforeEach(async () => {
  here = new Stage().commitFirst();
  mark = path.join(here.root, 'ran');
  script = path.join(here.root, 'script');
  here.put(script, `#!/bin/sh\necho "$0 $@" >> ${mark}\ncat\n`, 0o755);
  await here.ready();
});
afterEach(() => here.clear());

const inside = (file: string): string => path.join(here.workspace, file);
const SETTINGS = (): string => `[core]
	fsmonitor = ${script}
	hooksPath = ${here.root}/hooks
	sshCommand = ${script}
	attributesFile = ${here.root}/attributes
	worktree = ${here.repo}
	excludesFile = ${here.root}/all
[filter "f"]
	clean = ${script}
	smudge = ${script}
	process = ${script}
	required = true
[diff]
	external = ${script}
[diff "f"]
	textconv = ${script}
[commit]
	gpgSign = true
[gpg]
	program = ${script}
[merge "f"]
	driver = ${script}
[include]
	path = ${here.root}/more
`;

async function goesOnWithout(changedFiles: number): Promise<void> {
  const before = here.fingerprint();
  expect(await here.collect()).toMatchObject({ fault: null, changed: { files: changedFiles } });
  await here.check([['true']], ['src/**']);
  const { commit } = await here.collect([], 'ask-2');
  expect(await here.restore(commit ?? '', ['src/'])).toMatchObject({ problem: null });
  expect(existsSync(mark), 'a planted program ran').toBe(false);
  expect(here.fingerprint()).toEqual(before);
}

describe('nothing runs that an agent planted', () => {
  test('in the settings and hooks of its repository', async () => {
    here.work('.git/config', SETTINGS());
    here.work('.gitattributes', '* filter=f diff=f merge=f\n');
    for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout']) {
      here.work(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${mark}\n`, 0o755);
    }
    here.work('a.txt', 'changed\n');
    await goesOnWithout(2);
    // The trap works for whoever believes the repository.
    const env = { PATH: process.env.PATH };
    spawnSync('git', ['-c', `core.worktree=${here.workspace}`, 'status'], { cwd: here.workspace, env });
    expect(existsSync(mark)).toBe(true);
  });

  test.each<[what: string, plant: () => void]>([
    ['is gone', () => {}],
    ['is a file that leads elsewhere', () => here.work('.git', `gitdir: ${here.repo}/.git\n`)],
    ["is a link to the user's", () => symlinkSync(path.join(here.repo, '.git'), inside('.git'))],
    ['is nonsense', () => here.work('.git', 'nonsense')],
    ['is empty', () => mkdirSync(inside('.git'))],
    ['has other objects', () => here.work('.git/objects/info/alternates', '/nowhere\n')],
  ])('and a .git that %s harms nothing', async (_, plant) => {
    rmSync(inside('.git'), { recursive: true });
    plant();
    here.work('a.txt', 'changed\n');
    await goesOnWithout(1);
    expect(here.git('show', `baton/${RUN}:a.txt`)).toBe('changed');
  });

  test('in a repository inside of it, whose files are kept as files', async () => {
    const nested = inside('nested');
    mkdirSync(path.join(nested, 'deeper'), { recursive: true });
    for (const folder of [nested, path.join(nested, 'deeper')]) here.gitIn(folder, 'init', '-q');
    here.work('nested/file.txt', 'file\n');
    here.gitIn(nested, 'add', 'file.txt');
    here.gitIn(nested, '-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-q', '-m', 'nested');
    here.work('nested/deeper/file.txt', 'deeper\n');
    here.work('nested/.git/config', SETTINGS());
    here.work('nested/deeper/.git/config', SETTINGS());
    await goesOnWithout(2);
    expect(here.git('ls-tree', '-r', '--name-only', `baton/${RUN}`, 'nested/')).toBe(
      'nested/deeper/file.txt\nnested/file.txt',
    );
    expect(here.has('nested/.git/config')).toBe(true);
    here.work('nested/file.txt', 'changed\n');
    expect(await here.collect([], 'ask-3')).toMatchObject({ unnamed: ['nested/file.txt'] });
  });

  test('in a repository whose folder has no name in UTF-8', async () => {
    const odd = Buffer.concat([Buffer.from(`${here.workspace}/odd-`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(odd);
    execFileSync('sh', ['-c', 'cd odd-* && git init -q && echo x > file'], {
      cwd: here.workspace,
      env: { PATH: process.env.PATH },
    });
    execFileSync('sh', ['-c', 'for d in odd-*; do cat > "$d/.git/config"; done'], {
      cwd: here.workspace,
      input: SETTINGS(),
    });
    await goesOnWithout(1);
    expect(here.git('ls-tree', '-r', `baton/${RUN}`)).not.toMatch(/^160000/m);
  });

  test('in the folder of a submodule', async () => {
    const other = new Stage().commitFirst();
    here.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.repo, 'sub');
    here.git('commit', '-q', '-m', 'submodule');
    here.run = 'with-submodule';
    await here.ready();
    execFileSync('git', ['clone', '-q', other.repo, inside('sub')], { env: { PATH: process.env.PATH } });
    other.clear();
    writeFileSync(inside('sub/.git/config'), SETTINGS().replace(/^\tworktree.*$/m, ''));
    here.work('sub/.gitattributes', '* filter=f\n');
    here.work('sub/a.txt', 'won\n'); // as long as before: only a filter can tell
    here.work('a.txt', 'changed\n');
    await goesOnWithout(1);
    expect((await here.collect([], 'ask-4')).warnings.join()).toMatch(/not kept, it is a submodule: sub/);
    expect(here.git('ls-tree', 'baton/with-submodule', 'sub')).toMatch(/^160000/);
  });
});

describe('what cannot be kept does not keep the rest from being kept:', () => {
  test.each<[what: string, plant: () => void]>([
    [
      'a pipe instead of a file',
      () => {
        rmSync(inside('src/b.txt'));
        execFileSync('mkfifo', [inside('src/b.txt')]);
      },
    ],
    ['a pipe', () => execFileSync('mkfifo', [inside('pipe')])],
    [
      'a file of more than a gigabyte',
      () => {
        here.work('large.bin', '');
        truncateSync(inside('large.bin'), 2 ** 40);
      },
    ],
    ['a file that grew to more than a gigabyte', () => truncateSync(inside('src/b.txt'), 2 ** 40)],
    ['a name that git forbids', () => here.work('git~1', 'x')],
  ])('%s', async (what, plant) => {
    plant();
    here.work('a.txt', 'changed\n');
    const { warnings, commit } = await here.collect(['a.txt']);
    expect(here.git('show', `${commit}:a.txt`)).toBe('changed');
    expect(here.git('diff', '--name-only', 'HEAD', commit ?? '')).toBe('a.txt');
    if (!what.startsWith('a pipe')) expect(warnings.join()).toMatch(/not kept/);
    expect((await here.collect(['a.txt'], 'ask-2')).commit, 'and again').toBe(commit);
  });
});

describe('no file is looked at', () => {
  test('when the workspace itself became a link', async () => {
    rmSync(here.workspace, { recursive: true });
    symlinkSync(here.repo, here.workspace);
    const before = here.fingerprint();
    expect(await here.collect(['a.txt'])).toMatchObject({
      kind: 'workspace',
      problem: expect.stringMatching(/replaced/),
    });
    expect(await here.restore(here.git('rev-parse', 'HEAD'))).toMatchObject({
      problem: expect.stringMatching(/replaced/),
    });
    expect(here.fingerprint()).toEqual(before);
  });

  test('when the workspace is gone, and what was committed can be restored', async () => {
    rmSync(here.workspace, { recursive: true });
    expect(await here.collect(['a.txt'])).toMatchObject({
      kind: 'workspace',
      problem: expect.stringMatching(/gone/),
    });
    expect(await here.restore(here.git('rev-parse', 'HEAD'))).toEqual({ restored: 0, problem: null });
    expect(here.read('a.txt')).toBe('one\n');
  });
});
