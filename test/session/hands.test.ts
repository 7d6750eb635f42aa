/** Commands of a session, run for real: what holds them, what is seen of them, what ends them. */

import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processSource } from '../../src/sandbox/process-source.js';
import { SessionStage } from './session-stage.js';

let stage: SessionStage;
beforeEach(() => {
  stage = new SessionStage();
});
afterEach(() => stage.close());

const isAlive = (pid: number): boolean => processSource.find(pid)?.zombie === false;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.runIf(process.platform === 'linux')('a command of a session', () => {
  test('[R494] runs in the folder and gives its exit code, both streams and how long it took', async () => {
    const { said, output, success } = await stage.run('pwd; echo oops >&2; exit 3');
    expect(said).toMatchObject({ stdout: `${stage.cwd}\n`, stderr: 'oops\n', exit_code: 3 });
    expect(said.duration_ms).toBeGreaterThanOrEqual(0);
    expect(success).toBe(false);
    expect(output).toBe(`exit code 3\n${stage.cwd}\n\n[stderr]\noops\n`);
  });

  test('runs in a folder below that is named, and has nothing to read', async () => {
    stage.write('deep/here.txt', 'x');
    const { said } = await stage.run(['sh', '-c', 'ls; cat'], { workdir: 'deep' });
    expect(said).toMatchObject({ stdout: 'here.txt\n', exit_code: 0 });
  });

  test('that is not found, or may not be started, ends as a shell would end it', async () => {
    stage.write('text.txt', 'no program');
    expect((await stage.run(['no-such-program'])).said).toMatchObject({ exit_code: 127 });
    expect((await stage.run(['./text.txt'])).said).toMatchObject({ exit_code: 126 });
    expect((await stage.run('kill -9 $$')).said).toMatchObject({ exit_code: 137 });
  });

  test('may write to its folder, to named roots and to a private folder for temporary files', async () => {
    stage.set({ writableRoots: [stage.beside] });
    const script = `echo a > in.txt; echo b > ${stage.beside}/root.txt; echo c > "$TMPDIR/baton-private"; cat "$TMPDIR/baton-private"`;
    expect((await stage.run(script)).said).toMatchObject({ stdout: 'c\n', stderr: '', exit_code: 0 });
    expect(stage.read('in.txt')).toBe('a\n');
    expect(stage.read(path.join(stage.beside, 'root.txt'))).toBe('b\n');
    expect(existsSync('/tmp/baton-private')).toBe(false);
  });

  test('that writes elsewhere is denied, and that is recognised', async () => {
    // Where folders for temporary files lie beside it, they are not even there.
    expect(await stage.run(`echo x > ${stage.beside}/not.txt`)).toMatchObject({ success: false });
    expect(readdirSync(stage.beside)).toEqual([]);
    expect(await stage.run('echo x > /usr/not-ours.txt')).toMatchObject({ success: false, isDenied: true });
    stage.set({ mode: 'read-only' });
    expect(await stage.run('echo x > in.txt')).toMatchObject({ success: false, isDenied: true });
    expect(stage.read('in.txt')).toBeUndefined();
    // A failure of its own is none of the sandbox.
    expect(await stage.run('ls no-such-file')).toMatchObject({ success: false, isDenied: false });
  });

  test('cannot change what tells git or Baton what to run, nor see what is of Baton', async () => {
    stage.write('.git/config', '[core]\n');
    stage.write('.git/hooks/none', '');
    stage.write('baton.json', '{}');
    for (const file of ['.git/config', '.git/hooks/post-commit', 'baton.json']) {
      expect(await stage.run(`echo x >> ${file}`), file).toMatchObject({ success: false });
    }
    expect(stage.read('.git/config')).toBe('[core]\n');
    expect((await stage.run(`cat ${stage.home}/token`)).said.stdout).toBe('');
    const { said } = await stage.run('echo x > .git/HEAD2 && cat .git/HEAD2');
    expect(said.stdout).toBe('x\n');
  });

  test('cannot change what repositories below the folder run, and works in them all the same', async () => {
    stage.write('group/app/.git/config', '[core]\n');
    stage.write('group/app/.git/hooks/none', '');
    stage.write('group/bare/.git/config', '[core]\n');
    stage.write('group/tree/.git', 'gitdir: ../app/.git/worktrees/tree\n');
    stage.write('plain/baton.json', '{}');
    const tried = [
      ...['echo x >> group/app/.git/config', 'touch group/app/.git/hooks/x', 'mkdir group/bare/.git/hooks'],
      ...['rm group/tree/.git', 'mv group/app aside', 'echo x >> plain/baton.json'],
    ];
    for (const command of tried) expect(await stage.run(command), command).toMatchObject({ success: false });
    expect(stage.read('group/app/.git/config')).toBe('[core]\n');
    expect(stage.read('group/tree/.git')).toMatch(/^gitdir/);
    expect(stage.read('plain/baton.json')).toBe('{}');
    expect(await stage.run('echo x > group/app/.git/HEAD && echo x > group/app/x')).toMatchObject({ success: true });
  });

  test('finds nothing of Baton in the folder, and neither does anybody else, also where control files are missing', async () => {
    const made = ['.git', '.git/config', '.git/hooks', 'group', 'group/app', 'group/app/.git', 'group/app/.git/config'];
    for (const file of ['.git/config', 'group/app/.git/config']) stage.write(file, '[core]\n');
    mkdirSync(path.join(stage.cwd, '.git/hooks'), { mode: 0o555 });
    const seen = () => readdirSync(stage.cwd, { recursive: true }).sort();
    expect(seen()).toEqual(made);
    const { said } = await stage.run("find . -mindepth 1 | sed 's,^\\./,,' | LC_ALL=C sort");
    expect(said.stdout.split('\n').filter(Boolean)).toEqual(made);
    const running = stage.run('touch up; sleep 20');
    await until(() => existsSync(path.join(stage.cwd, 'up')));
    expect(seen(), 'so there is nothing that a kill could leave').toEqual([...made, 'up']);
    stage.abort.abort();
    await expect(running).rejects.toThrow();
  });

  test('may make a project file, which cannot be changed from then on', async () => {
    expect(await stage.run('echo {} > baton.json')).toMatchObject({ success: true });
    expect(await stage.run('echo x >> baton.json')).toMatchObject({ success: false });
    expect(stage.read('baton.json')).toBe('{}\n');
  });

  test('is not run in a folder of more repositories than can be guarded', async () => {
    for (let count = 0; count < 65; count += 1) stage.write(`many/app-${count}/.git/config`, '');
    const { said } = await stage.run('touch made');
    expect(said).toMatchObject({ exit_code: 126, stderr: expect.stringContaining('more than 64 repositories') });
    expect(stage.read('made')).toBeUndefined();
  });

  test('runs in a worktree of git, whose name for its repository cannot be changed', async () => {
    stage.write('.git', 'gitdir: /elsewhere\n');
    expect(await stage.run('echo gitdir: /evil > .git')).toMatchObject({ success: false });
    expect(await stage.run('rm .git')).toMatchObject({ success: false });
    expect(await stage.run('touch made')).toMatchObject({ success: true });
  });

  test('reaches no network unless the session may', async () => {
    const server = createServer((socket) => void socket.end('reached\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    const closed = await stage.run(['bash', '-c', script]);
    expect(closed.said.stdout).toBe('');
    expect(closed.success).toBe(false);
    stage.set({ networkAccess: true });
    expect((await stage.run('echo "$HTTPS_PROXY"')).said.stdout).toMatch(/^http/);
    stage.set({ mode: 'danger-full-access' });
    expect((await stage.run(['bash', '-c', script])).said.stdout).toBe('reached\n');
    server.close();
  });

  test('sees no secret of the environment, inside and outside', async () => {
    for (const mode of ['workspace-write', 'danger-full-access'] as const) {
      stage.set({ mode });
      const { said } = await stage.run('env; cat /proc/self/environ');
      expect(said.stdout).toContain('PLAIN=seen');
      expect(said.stdout).not.toContain('SOME_TOKEN');
      expect(said.stdout).not.toContain('BATON_TOKEN');
    }
  });

  test('prints a secret that it finds elsewhere masked, in what is kept and in what is streamed', async () => {
    const [secret = ''] = stage.secrets;
    stage.write('secret.txt', `${secret}\n`);
    const told: string[] = [];
    stage.live.listen(stage.held.run, ({ msg }) => told.push((msg as { delta?: string }).delta ?? ''));
    const { said, output } = await stage.run('cat secret.txt; printf "%s" "$(cat secret.txt)"; echo done');
    for (const text of [said.stdout, output, told.join('')]) {
      expect(text).not.toContain(secret);
      expect(text).toContain('done');
    }
  });

  test.each([16 * 1024, 512 * 1024])('has no half of a secret left where what it prints is cut, at %i', async (cut) => {
    const [secret = ''] = stage.secrets;
    stage.write('secret.txt', secret);
    const fill = (bytes: number, letter: string) => `head -c ${bytes} /dev/zero | tr "\\0" ${letter}`;
    const script = `${fill(cut - 25, 'x')}; cat secret.txt; ${fill(1_200_000, 'y')}; cat secret.txt; ${fill(cut - 15, 'z')}`;
    const { said, output } = await stage.run(script);
    for (const text of [said.stdout, output]) expect(text).not.toMatch(/xc|canary|environment|1y|yc|4711/);
  });

  test('is streamed while it runs, by stream and with offsets', async () => {
    const told: { stream: string; offset: number; delta: string }[] = [];
    stage.live.listen(stage.held.run, ({ id, msg }) => {
      const { type, call_id, stream, offset, delta } = msg as Record<string, unknown>;
      expect([id, type, call_id]).toEqual(['task-1', 'exec_command_output_delta', 'call-1']);
      told.push({ stream, offset, delta } as (typeof told)[number]);
    });
    const running = stage.run('echo first; echo wrong >&2; while [ ! -e go ]; do sleep 0.01; done; printf half');
    await until(() => told.length >= 2);
    stage.write('go', '');
    await running;
    const of = (stream: string) => told.filter((one) => one.stream === stream);
    expect(of('stdout')).toEqual([
      { stream: 'stdout', offset: 0, delta: 'first\n' },
      { stream: 'stdout', offset: 6, delta: 'half' },
    ]);
    expect(of('stderr')).toEqual([{ stream: 'stderr', offset: 0, delta: 'wrong\n' }]);
  });

  test('that prints 10 MB is bounded in what is kept, told and streamed, and says how much is missing', async () => {
    let streamed = 0;
    stage.live.listen(stage.held.run, ({ msg }) => {
      streamed += (msg as { delta?: string }).delta?.length ?? 0;
    });
    const { said, output } = await stage.run('head -c 10000000 /dev/zero | tr "\\0" x; echo; echo the end');
    expect(said.stdout.length).toBeLessThanOrEqual(1024 * 1024);
    expect(said.stdout).toMatch(/\[\d+ bytes left out\]/);
    expect(said.truncated_bytes).toBeGreaterThan(8_000_000);
    expect(Buffer.byteLength(output)).toBeLessThan(33 * 1024);
    expect(output).toMatch(/^exit code 0\nx+\n\[\d+ bytes left out\]\nx+\nthe end\n$/);
    expect(streamed).toBeLessThanOrEqual(256 * 1024);
    expect(streamed).toBeGreaterThan(100_000);
  });

  test('that prints bytes which are no text is text all the same', async () => {
    const { said, output } = await stage.run(['printf', '\\377\\000\\033[31mred\\n']);
    expect(said.stdout).toBe('\ufffd\u0000\u001b[31mred\n');
    expect(JSON.parse(JSON.stringify(output))).toBe(output);
  });

  test('is ended with everything it started when its time is up', async () => {
    const script = 'trap "" TERM; (trap "" TERM; echo $BASHPID > pid; while :; do sleep 0.1; done) & wait';
    const { said, output } = await stage.run(['bash', '-c', script], { timeout_ms: 400 });
    expect(said).toMatchObject({ timed_out: true, exit_code: 124 });
    expect(output).toContain('ended after 400 ms');
    expect(await stage.rows.list({})).toEqual([]);
  });

  test('is ended when the session has no more time, however long it may take itself', async () => {
    const { said, output } = await stage.perform(await stage.deed('exec_command', { command: ['sleep', '20'] }), {
      msMax: 900,
    });
    expect(said).toMatchObject({ timed_out: true, exit_code: 124 });
    expect(output).toContain('ended after 900 ms');
  });

  test('that is called off ends with a grandchild that ignores the signal, before anybody goes on', async () => {
    stage.set({ mode: 'danger-full-access' });
    const script = 'trap "" TERM; setsid bash -c \'trap "" TERM; echo $$ > pid; while :; do sleep 0.1; done\' & wait';
    const running = stage.run(['bash', '-c', script]);
    const settled = running.then(
      () => 'ended',
      () => 'rejected',
    );
    await until(() => (stage.read('pid') ?? '') !== '');
    const pid = Number(stage.read('pid'));
    expect(isAlive(pid)).toBe(true);
    stage.abort.abort();
    expect(await settled).toBe('rejected');
    expect(isAlive(pid)).toBe(false);
    expect(await stage.rows.list({})).toEqual([]);
  });

  test('[R505] that was allowed is the one that runs: another plan under its hash is not done', async () => {
    const judged = await stage.deed('exec_command', { command: 'echo allowed > done.txt' });
    const plan = JSON.parse(stage.text(judged.plan));
    stage.tamper(judged.plan, JSON.stringify({ ...plan, argv: ['sh', '-c', 'echo other > done.txt'] }));
    expect(await stage.perform(judged)).toMatchObject({
      success: false,
      output: 'Not done: what would be done is not what was judged.',
    });
    expect(stage.read('done.txt')).toBeUndefined();
    stage.tamper(judged.plan, JSON.stringify(plan));
    const elsewhere = await stage.perform(judged, { where: 'outside', hash: judged.hashes.inside });
    expect(elsewhere.success).toBe(false);
    expect((await stage.perform(judged)).success).toBe(true);
    expect(stage.read('done.txt')).toBe('allowed\n');
  });

  test('that was judged where a sandbox held is not run inside where none does', async () => {
    const judged = await stage.deed('exec_command', { command: 'echo x > done.txt' });
    stage.sandboxMode = 'none';
    expect((await stage.perform(judged)).said).toMatchObject({
      exit_code: 126,
      stderr: 'no sandbox holds here any more',
    });
    expect(stage.read('done.txt')).toBeUndefined();
  });

  test('[R505] that was allowed in a folder is not run in what was put in its place', async () => {
    stage.write('sub/here.txt', 'x');
    const asked = { command: 'touch made', workdir: 'sub', with_escalated_permissions: true };
    const judged = await stage.deed('exec_command', asked);
    expect((await stage.run(`mv sub sub2 && ln -s ${stage.beside} sub`)).success).toBe(true);
    expect((await stage.perform(judged)).said).toMatchObject({
      exit_code: 126,
      stderr: `${stage.cwd}/sub is not the folder any more that it was judged for`,
    });
    expect(readdirSync(stage.beside)).toEqual([]);
  });

  test.each([
    [true, 'touch made'],
    [false, 'touch made'],
    [true, ['./tool']],
    [false, ['./tool']],
  ] as const)('[R505] nor in what is put there while it is started (outside: %s): %s', async (isOutside, command) => {
    const tool = '#!/bin/sh\ntouch made\n';
    stage.write('sub/tool', tool, 0o755);
    stage.write(path.join(stage.cwd, 'other', 'tool'), tool, 0o755);
    const asked = { command, workdir: 'sub', ...(isOutside && { with_escalated_permissions: true }) };
    const judged = await stage.deed('exec_command', asked);
    stage.onStart = () => {
      stage.onStart = () => {};
      renameSync(path.join(stage.cwd, 'sub'), path.join(stage.cwd, 'moved'));
      symlinkSync(path.join(stage.cwd, 'other'), path.join(stage.cwd, 'sub'));
    };
    const { said } = await stage.perform(judged);
    expect(said).toMatchObject({ exit_code: 126, stderr: expect.stringContaining('not the folder any more') });
    expect([stage.read('other/made'), stage.read('moved/made')]).toEqual([undefined, undefined]);
  });

  test('runs in a folder whose name ends with the end of a line, and in no other that it looks like', async () => {
    stage.write('odd\n/here.txt', '');
    expect((await stage.run(['ls'], { workdir: 'odd\n' })).said).toMatchObject({ stdout: 'here.txt\n', exit_code: 0 });
    stage.write('odd/there.txt', '');
    const judged = await stage.deed('exec_command', { command: ['ls'], workdir: 'odd' });
    stage.onStart = () => {
      stage.onStart = () => {};
      renameSync(path.join(stage.cwd, 'odd'), path.join(stage.cwd, 'moved'));
      symlinkSync('odd\n', path.join(stage.cwd, 'odd'));
    };
    expect((await stage.perform(judged)).said).toMatchObject({ stdout: '', exit_code: 126 });
  });

  test('takes hostile arguments as they are: nothing is read by a shell, nothing is an option of ours', async () => {
    const words = [
      '$(touch made)',
      '`touch made`',
      '; touch made',
      '--',
      '-rf',
      '',
      "a'b",
      '"',
      '\n',
      '*',
      '~',
      '\u202e',
      '💥',
    ];
    const { said } = await stage.run(['printf', '[%s]', ...words]);
    expect(said.stdout).toBe(words.map((word) => `[${word}]`).join(''));
    expect(stage.read('made')).toBeUndefined();
  });
});
