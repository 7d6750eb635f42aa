/** Folders of a session are those that it was set up with, whatever is put in their place meanwhile. */

import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionStage } from './session-stage.js';

let stage: SessionStage;
beforeEach(() => {
  stage = new SessionStage();
});
afterEach(() => stage.close());

const patchOf = (file: string): object => ({ input: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` });
const SET_UP_AGAIN = /^Not done: .* (is reached through a link now|is not there any more); the session has to be set/;

describe.runIf(process.platform === 'linux')('a session that may change some paths only', () => {
  beforeEach(() => {
    stage.write('src/a.txt', 'a\n');
    stage.write('notes.md', 'n\n');
    stage.set({ paths: ['src', 'notes.md'].map((name) => path.join(stage.cwd, name)), writableRoots: [stage.beside] });
  });

  test('changes those, by commands and by patches, and nothing else', async () => {
    expect(await stage.run('echo x > src/new.txt && echo x >> notes.md')).toMatchObject({ success: true });
    expect(stage.read('notes.md')).toBe('n\nx\n');
    for (const file of ['other.txt', `${stage.beside}/other.txt`]) {
      expect(await stage.run(`echo x > ${file}`), file).toMatchObject({ success: false });
      const { facts } = await stage.deed('apply_patch', patchOf(file));
      expect(facts).toMatchObject({ wantsOutside: true, reason: expect.stringContaining('outside of the paths') });
    }
    const judged = await stage.deed('apply_patch', patchOf('src/patched.txt'));
    expect(judged.facts).toMatchObject({ wantsOutside: false });
    expect(await stage.perform(judged)).toMatchObject({ success: true });
    expect(readdirSync(stage.cwd).sort()).toEqual(['notes.md', 'src']);
    expect(readdirSync(stage.beside)).toEqual([]);
  });

  test('goes on when one of them was removed, and not when it was made a link', async () => {
    const gone = await stage.deed('apply_patch', {
      input: '*** Begin Patch\n*** Delete File: notes.md\n*** End Patch',
    });
    expect(await stage.perform(gone)).toMatchObject({ success: true });
    expect(await stage.run('echo x > notes.md')).toMatchObject({ success: false });
    expect(await stage.run('touch src/b.txt')).toMatchObject({ success: true });
    symlinkSync(stage.beside, path.join(stage.cwd, 'notes.md'));
    expect(await stage.answered('exec_command', { command: 'pwd' })).toMatch(SET_UP_AGAIN);
  });

  test('changes nothing where none are named', async () => {
    stage.set({ paths: [] });
    expect(await stage.run('touch src/b.txt')).toMatchObject({ success: false });
    expect((await stage.deed('apply_patch', patchOf('src/b.txt'))).facts.wantsOutside).toBe(true);
  });
});

describe.runIf(process.platform === 'linux')('a session that may reach some hosts only', () => {
  const connect = (target: string): string =>
    `proxy=\${HTTPS_PROXY#http://}; exec 3<>"/dev/tcp/\${proxy%%:*}/\${proxy##*:}"
printf 'CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n' >&3; head -n 1 <&3`;

  test('is refused every other one by the proxy', async () => {
    stage.set({ networkAccess: true, hosts: ['registry.invalid'] });
    const answered = async (target: string) => (await stage.run(['bash', '-c', connect(target)])).said.stdout;
    expect(await answered('example.invalid:443')).toContain(' 403 ');
    expect(await answered('registry.invalid:80')).toContain(' 403 ');
    // Allowed, and not to be found.
    expect(await answered('registry.invalid:443')).toMatch(/ 50\d /);
    stage.set({ hosts: [] });
    expect((await stage.run('echo "proxy:$HTTPS_PROXY"')).said.stdout).toBe('proxy:\n');
  });
});

describe.runIf(process.platform === 'linux')('a folder of a session', () => {
  test('that was not there and is made a link by a command opens nothing: neither to commands nor to patches', async () => {
    const out = path.join(stage.cwd, 'out');
    await stage.run(`ln -s ${stage.beside} out`);
    stage.set({ writableRoots: [out] });
    expect(await stage.answered('exec_command', { command: `echo x > ${stage.beside}/a.txt` })).toMatch(SET_UP_AGAIN);
    expect(await stage.answered('apply_patch', patchOf(`${out}/b.txt`))).toMatch(SET_UP_AGAIN);
    expect(await stage.answered('view_image', { path: `${out}/b.png` })).toMatch(SET_UP_AGAIN);
    expect(readdirSync(stage.beside)).toEqual([]);
  });

  test('that is swapped between judging and doing is not written to', async () => {
    const out = path.join(stage.cwd, 'out');
    mkdirSync(out);
    stage.set({ writableRoots: [out] });
    const command = await stage.deed('exec_command', { command: `touch ${out}/a.txt` });
    const patch = await stage.deed('apply_patch', patchOf(`${out}/b.txt`));
    renameSync(out, path.join(stage.root, 'moved'));
    symlinkSync(stage.beside, out);
    expect((await stage.perform(command)).output).toMatch(SET_UP_AGAIN);
    expect((await stage.perform(patch)).output).toMatch(SET_UP_AGAIN);
    expect(readdirSync(stage.beside)).toEqual([]);
  });

  test('that lies in another is kept in its place, with every folder on the way', async () => {
    const cwd = path.join(stage.cwd, 'packages', 'a');
    stage.write('packages/a/.git/config', '[core]\n');
    stage.policy = { ...stage.policy, cwd };
    stage.set({ writableRoots: [stage.cwd] });
    const { said } = await stage.run(`cd ${stage.cwd} && mv packages old`);
    expect(said).toMatchObject({ exit_code: 1, stderr: expect.stringContaining('busy') });
    await stage.run(`cd ${stage.cwd} && echo x > packages/new; echo evil >> packages/a/.git/config`);
    expect(stage.read('packages/new')).toBe('x\n');
    expect(readFileSync(path.join(cwd, '.git/config'), 'utf8')).toBe('[core]\n');
    expect((await stage.run('echo x > in.txt && cat in.txt')).said.stdout).toBe('x\n');
  });

  test('that was moved with the folders around it holds up everything until the session is set up again', async () => {
    const cwd = path.join(stage.cwd, 'packages', 'a');
    mkdirSync(cwd, { recursive: true });
    stage.policy = { ...stage.policy, cwd };
    stage.set({ writableRoots: [stage.cwd] });
    renameSync(path.join(stage.cwd, 'packages'), path.join(stage.cwd, 'old'));
    expect(await stage.answered('exec_command', { command: 'pwd' })).toMatch(SET_UP_AGAIN);
    mkdirSync(path.join(stage.cwd, 'packages'));
    symlinkSync(stage.beside, cwd);
    expect(await stage.answered('exec_command', { command: 'touch c.txt' })).toMatch(SET_UP_AGAIN);
    expect(await stage.answered('apply_patch', patchOf('c.txt'))).toMatch(SET_UP_AGAIN);
    expect(readdirSync(stage.beside)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a folder that tells this machine what to run', () => {
  const ofSystem = ['/etc', '/usr/local', '/var', '/opt', '/tmp', '/dev', '/run', os.homedir(), '/'];

  test.each(ofSystem)('is only read as the folder of a session or as a root: %s', async (folder) => {
    stage.policy = { ...stage.policy, cwd: realpathSync(folder) };
    for (const sandbox of [{ writableRoots: [] }, { writableRoots: [realpathSync(folder)] }]) {
      stage.set(sandbox);
      expect((await stage.run('[ -w . ] && echo writable; pwd')).said.stdout).toBe(`${stage.policy.cwd}\n`);
    }
    const { facts } = await stage.deed('apply_patch', patchOf('baton-probe.txt'));
    expect(facts).toMatchObject({ wantsOutside: true, reason: expect.stringContaining(', which ') });
  });

  test('is one in a repository of git, too', async () => {
    stage.write('.git/hooks/none', '');
    stage.policy = { ...stage.policy, cwd: path.join(stage.cwd, '.git') };
    expect(await stage.run('echo x > hooks/post-commit')).toMatchObject({ success: false });
  });

  test('is not shown where a sandbox has its own', async () => {
    stage.policy = { ...stage.policy, cwd: '/proc' };
    stage.set({ mode: 'read-only' });
    const { said } = await stage.run(`cat ${process.pid}/cmdline; ls -d [0-9]* | wc -l`);
    expect(Number(said.stdout)).toBeLessThan(10);
  });
});
