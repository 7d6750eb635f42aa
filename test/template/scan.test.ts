import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { scanProject } from '../../src/template/project/scan-project.js';
import { addFile, inGit, madeProject } from './made-project.js';

const NO_FILES_SKIPPED = { vendored: 0, ignored: 0, binary: 0, large: 0, unreadable: 0 };

async function pathsOf(root: string): Promise<string[]> {
  return (await scanProject(root)).files.map(({ path }) => path);
}

describe.each([{ git: true }, { git: false }])('a scan of a project (with git: $git)', ({ git }) => {
  test('lists files in the order of their paths, with size, language and role', async () => {
    const root = madeProject(
      { 'src/b.ts': 'b', 'src/a.ts': 'aa', 'src/a.test.ts': '', 'README.md': '#', 'x.toml': '' },
      { git },
    );
    const { files, skipped, truncated, name } = await scanProject(root);
    expect(files).toEqual([
      { path: 'README.md', bytes: 1, language: 'Markdown', role: 'docs' },
      { path: 'src/a.test.ts', bytes: 0, language: 'TypeScript', role: 'test' },
      { path: 'src/a.ts', bytes: 2, language: 'TypeScript', role: 'source' },
      { path: 'src/b.ts', bytes: 1, language: 'TypeScript', role: 'source' },
      { path: 'x.toml', bytes: 0, language: 'TOML', role: 'config' },
    ]);
    expect(skipped).toEqual(NO_FILES_SKIPPED);
    expect(truncated).toBe(false);
    expect(name).toBe(path.basename(root));
  });

  test('leaves out what others wrote and what a build makes', async () => {
    const kept = ['app/main.py', 'bin/start.js', 'latest/news.ts'];
    const left = [
      'node_modules/x/index.js',
      'vendor/lib.go',
      'dist/a.js',
      'build/a.js',
      'target/a.rs',
      '.venv/lib/a.py',
    ];
    left.push('app/__pycache__/a.py', 'bin/Debug/a.txt', 'obj/a.cs', 'coverage/a.html', 'web/app.min.js');
    const root = madeProject(Object.fromEntries([...kept, ...left].map((name) => [name, 'text'])), { git });
    const { files, skipped } = await scanProject(root);
    expect(files.map(({ path }) => path)).toEqual(kept);
    expect(skipped.vendored).toBe(left.length);
  });

  test('leaves out what bears secrets and the files of the bridge', async () => {
    const left = [
      '.env',
      '.env.local',
      'app/.env.example',
      'id_rsa',
      'certs/server.pem',
      '.npmrc',
      'config/secrets.yml',
    ];
    left.push('.aws/config', 'credentials.json', 'prod.tfvars', 'google-service-account.json', '.git-credentials');
    left.push(
      '.agent-request.json',
      '.agent-response.json',
      '.agent-response.json.rejected',
      '.template-create-state.json',
    );
    const kept = ['src/credentials.ts', 'src/secret-store.ts'];
    const root = madeProject(Object.fromEntries([...kept, ...left].map((name) => [name, 'text'])), { git });
    const { files, skipped } = await scanProject(root);
    expect(files.map(({ path }) => path)).toEqual(kept);
    expect(skipped.ignored).toBe(left.length);
  });

  test('leaves out binary and large files', async () => {
    const root = madeProject(
      {
        'a.ts': Buffer.from('text\0text'),
        'late.ts': `${'a'.repeat(9_000)}\0`,
        'logo.png': 'no picture',
        'exact.ts': 'x'.repeat(1024 * 1024),
        'large.ts': 'x'.repeat(1024 * 1024 + 1),
      },
      { git },
    );
    const { files, skipped } = await scanProject(root);
    // Only the head is looked at: what comes later is seen when the file is sampled.
    expect(files.map(({ path }) => path)).toEqual(['exact.ts', 'late.ts']);
    expect(skipped).toMatchObject({ binary: 2, large: 1 });
  });

  test('follows no link, neither in circles nor out of the project', async () => {
    const outside = madeProject({ 'secret.ts': 'outside' });
    const root = madeProject({ 'src/a.ts': 'a' }, { git });
    symlinkSync(root, path.join(root, 'src/circle'));
    symlinkSync(outside, path.join(root, 'out'));
    symlinkSync(path.join(outside, 'secret.ts'), path.join(root, 'src/link.ts'));
    const { files, skipped } = await scanProject(root);
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts']);
    expect(skipped.ignored).toBe(3);
  });

  test('waits for nobody who writes into a pipe', async () => {
    const root = madeProject({ 'a.ts': 'a' }, { git });
    execFileSync('mkfifo', [path.join(root, 'pipe.ts')]);
    expect(await pathsOf(root)).toEqual(['a.ts']);
  });

  test('leaves out names that cannot be shown or written elsewhere', async () => {
    const root = madeProject(
      { 'ok/ä [id].ts': 'a', 'line\nbreak.ts': 'a', 'bidi\u202etxt.ts': 'a', 'esc\u001b[31m.ts': 'a' },
      { git },
    );
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0xfe]), Buffer.from('.ts')]), 'a');
    const { files, skipped } = await scanProject(root);
    expect(files.map(({ path }) => path)).toEqual(['ok/ä [id].ts']);
    expect(skipped.unreadable).toBe(4);
  });

  test('looks at 5,000 files, and at no more than it may', async () => {
    const root = madeProject({}, { git });
    for (let folder = 0; folder < 50; folder += 1) {
      mkdirSync(path.join(root, `f${folder}`));
      for (let file = 0; file < 100; file += 1) writeFileSync(path.join(root, `f${folder}/a${file}.ts`), '');
    }
    const all = await scanProject(root);
    expect(all).toMatchObject({ truncated: false });
    expect(all.files).toHaveLength(5_000);
    const some = await scanProject(root, { filesMax: 10 });
    expect(some.truncated).toBe(true);
    expect(some.files).toEqual(all.files.slice(0, 10));
    expect((await scanProject(root, { namesMax: 20 })).truncated).toBe(true);
  });

  test('says that an empty folder is empty', async () => {
    expect((await scanProject(madeProject({}, { git }))).files).toEqual([]);
  });
});

describe('the list of git', () => {
  test('is followed: what it ignores is not there', async () => {
    const root = madeProject(
      { '.gitignore': 'local/\n*.log\n', 'a.ts': 'a', 'local/b.ts': 'b', 'x.log': 'x' },
      { git: true },
    );
    expect(await pathsOf(root)).toEqual(['.gitignore', 'a.ts']);
  });

  test('names deleted files, which are not there', async () => {
    const root = madeProject({ 'a.ts': 'a', 'b.ts': 'b' }, { git: true });
    inGit(root, 'add', '-A');
    rmSync(path.join(root, 'b.ts'));
    expect(await scanProject(root)).toMatchObject({ files: [{ path: 'a.ts' }], skipped: NO_FILES_SKIPPED });
  });

  test('does not lead out through a folder that became a link', async () => {
    const outside = madeProject({ 'b.ts': 'outside' });
    const root = madeProject({ 'a.ts': 'a', 'deep/b.ts': 'b' }, { git: true });
    inGit(root, 'add', '-A');
    renameSync(path.join(root, 'deep'), path.join(outside, 'moved'));
    symlinkSync(outside, path.join(root, 'deep'));
    expect(await pathsOf(root)).toEqual(['a.ts']);
  });

  test('starts nothing that the repository names', async () => {
    const root = madeProject({ 'a.ts': 'a' }, { git: true });
    const trace = path.join(root, '.git/started');
    const program = path.join(root, '.git/program');
    writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\n`);
    chmodSync(program, 0o755);
    inGit(root, 'config', 'core.fsmonitor', program);
    inGit(root, 'config', 'core.hooksPath', path.join(root, '.git'));
    expect(await pathsOf(root)).toEqual(['a.ts']);
    expect(() => rmSync(trace)).toThrow(/ENOENT/);
  });

  test('is not asked where a repository around the folder ignores it', async () => {
    const around = madeProject({ '.gitignore': 'inner/\n', 'inner/a.ts': 'a' }, { git: true });
    expect(await pathsOf(path.join(around, 'inner'))).toEqual(['a.ts']);
  });

  test('of a folder inside the repository is only that folder', async () => {
    const around = madeProject({ 'b.ts': 'b', 'inner/a.ts': 'a' }, { git: true });
    expect(await pathsOf(path.join(around, 'inner'))).toEqual(['a.ts']);
  });

  test('is not needed: a broken repository is walked', async () => {
    const root = madeProject({ '.git': 'gitdir: nowhere\n', 'a.ts': 'a' });
    expect(await pathsOf(root)).toEqual(['a.ts']);
  });
});

describe('what is no project', () => {
  test.each([
    ['is not there', (root: string) => path.join(root, 'missing')],
    ['is not a folder', (root: string) => path.join(root, 'file')],
  ])('%s, and is refused so', async (why, at) => {
    const root = madeProject({ file: 'text' });
    await expect(scanProject(at(root))).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
      message: expect.stringContaining(why),
    });
  });

  test('cannot be read, and is refused so', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root reads everything');
    const root = madeProject({ 'a.ts': 'a' });
    chmodSync(root, 0o000);
    try {
      await expect(scanProject(root)).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
    } finally {
      chmodSync(root, 0o755);
    }
  });

  test('an unreadable part of it is left out and counted', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root reads everything');
    const root = madeProject({ 'a.ts': 'a', 'b.ts': 'b' });
    addFile(root, 'closed/c.ts', 'c');
    chmodSync(path.join(root, 'closed'), 0o000);
    chmodSync(path.join(root, 'b.ts'), 0o000);
    try {
      const { files, skipped } = await scanProject(root);
      expect(files.map(({ path }) => path)).toEqual(['a.ts']);
      expect(skipped.unreadable).toBe(2);
    } finally {
      chmodSync(path.join(root, 'closed'), 0o755);
    }
  });
});
