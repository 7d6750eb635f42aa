import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endLeftovers } from '../../src/sandbox/end-leftovers.js';
import { findProgram } from '../../src/sandbox/find-program.js';
import { bwrapSandbox } from '../../src/sandbox/modes/bwrap.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { bundle } from '../conformance/store/bundle.js';
import { processesWith, until } from '../faults/processes/playground.js';
import { HeldTable } from '../faults/processes/tables.js';
import { PATH, Scene } from './scene.js';

const TREES = 20;
const onLinux = describe.runIf(process.platform === 'linux');

function bwrapHere(): string {
  const found = findProgram('bwrap', { cwd: '/', PATH });
  if ('reason' in found) throw new Error(`bubblewrap is needed: ${found.reason}`);
  return found.file;
}

let scene: Scene;
let sandbox: Sandbox;
beforeEach(() => {
  scene = new Scene();
  sandbox = bwrapSandbox({ program: bwrapHere() });
});
afterEach(() => scene.clear());

const inside = async (script: string, ...rest: unknown[]) => {
  const [confinement = {}, other = {}] = rest as [object?, object?];
  const spawned = await scene.spawn(sandbox, ['sh', '-c', script], confinement, other);
  if (spawned.type !== 'started') throw new Error(JSON.stringify(spawned));
  return spawned.process;
};
const alive = () => processesWith(scene.token).filter(({ pid }) => pid !== scene.stranger.pid);

onLinux('a sandboxed command', () => {
  test('tells its exit code, or the signal that ended it as a shell does', async () => {
    expect((await scene.run(sandbox, ['sh', '-c', 'exit 7'])).exitCode).toBe(7);
    expect((await scene.run(sandbox, ['sh', '-c', 'kill -9 $$'])).exitCode).toBe(137);
  });

  test('writes its workspace and its own home, and finds an ordinary machine', async () => {
    const script = 'echo kept > kept; echo x > /tmp/x; cat /tmp/x; cat /etc/passwd >/dev/null && git --version; pwd';
    const { stdout, stderr, exitCode } = await scene.run(sandbox, ['sh', '-c', script]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(new RegExp(`^x\\ngit version .*\\n${scene.workspace}\\n$`));
    expect(scene.read(scene.workspace, 'kept')).toBe('kept\n');
  });

  test('has git that commits, although its settings are guarded', async () => {
    rmSync(path.join(scene.workspace, '.git'), { recursive: true });
    const outside = await scene.run(bwrapSandbox({ program: bwrapHere() }), ['git', 'init', '-q'], { control: [] });
    expect(outside.exitCode).toBe(0);
    const who = '-c user.name=a -c user.email=b';
    const script = `git add -A && git ${who} commit -q -m first && git log --oneline | wc -l`;
    const control = ['.git/config', '.git/hooks'].map((name) => path.join(scene.workspace, name));
    expect(await scene.run(sandbox, ['sh', '-c', script], { control })).toMatchObject({ stdout: '1\n', exitCode: 0 });
  });

  test('runs Node', async () => {
    const program = 'new Worker("1", { eval: true }).on("exit", (code) => console.log(code, process.pid < 20))';
    const argv = [process.execPath, '-e', `const { Worker } = require('node:worker_threads'); ${program}`];
    const limits = { memoryBytesMax: 4 * 1024 ** 3 };
    expect((await scene.run(sandbox, argv, { limits })).stdout).toBe('0 true\n');
  });

  test('sees what is read-only, but not the sockets in it', async () => {
    await scene.listen();
    const connect = `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("${scene.outside}/socket")) or die "no: $!"; print <S>;`;
    const script = `cat ${scene.outsideFile}; echo x >> ${scene.outsideFile}; perl -e '${connect}'`;
    const { stdout, stderr } = await scene.run(sandbox, ['sh', '-c', script], { readOnly: [scene.outside] });
    expect(stdout).toBe('untouched\n');
    expect(stderr).toMatch(/Read-only file system\n.*no: (Permission denied|Connection refused)/);
  });

  test('does not see what is hidden inside its workspace', async () => {
    const hidden = [path.join(scene.workspace, '.env'), path.join(scene.workspace, 'keys')];
    writeFileSync(hidden[0] ?? '', 'KEY=top-secret\n');
    mkdirSync(hidden[1] ?? '');
    writeFileSync(path.join(hidden[1] ?? '', 'key'), 'top-secret\n');
    const script = 'cat .env keys/key; mv .env seen; rm -rf keys; cat seen; ls -A';
    const { stdout } = await scene.run(sandbox, ['sh', '-c', script], { hidden: [scene.home, ...hidden] });
    expect(stdout).not.toContain('top-secret');
    expect(scene.read(hidden[0] ?? '')).toBe('KEY=top-secret\n');
    expect(scene.read(hidden[1] ?? '', 'key')).toBe('top-secret\n');
  });

  test('leaves no trace of what was guarded but not there', async () => {
    const running = await inside('ls -d baton.json .agent; sleep 600', {}, {});
    await until('it listed', () => running.stdout.text().includes('baton.json'));
    expect(readdirSync(scene.workspace).sort()).toEqual(['.agent', '.git', 'AGENTS.json', 'baton.json']);
    const second = await scene.run(sandbox, ['sh', '-c', 'echo x > baton.json || echo refused']);
    expect(second.stdout, 'while another still runs there').toBe('refused\n');
    expect(existsSync(path.join(scene.workspace, 'baton.json'))).toBe(true);
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
    await until('they are gone', () => readdirSync(scene.workspace).length === 2);
    expect(readdirSync(scene.workspace).sort()).toEqual(['.git', 'AGENTS.json']);
  });

  test('takes away what a killed one left, and never a folder of somebody else', async () => {
    mkdirSync(path.join(scene.workspace, 'baton.json'), { mode: 0o555 });
    mkdirSync(path.join(scene.workspace, '.agent'));
    expect((await scene.run(sandbox, ['true'])).exitCode).toBe(0);
    expect(readdirSync(scene.workspace).sort()).toEqual(['.agent', '.git', 'AGENTS.json']);
  });

  test.each([1, 5])('gets the %i descriptors that are passed to it and no others', async (count) => {
    writeFileSync(path.join(scene.outside, 'passed'), 'through a descriptor\n');
    const passed = Array.from({ length: count }, () => openSync(path.join(scene.outside, 'passed'), 'r'));
    const child = await inside('cat <&4; ls /proc/self/fd', {}, { descriptors: passed });
    await child.ended;
    for (const descriptor of passed) closeSync(descriptor);
    const seen = Array.from({ length: 4 + count }, (_, descriptor) => `${descriptor}\n`).join('');
    expect(child.stdout.text()).toBe(`through a descriptor\n${seen}`);
    expect(child.stderr.text()).toBe('');
  });
});

onLinux('nothing is started', () => {
  const notStarted = async (confinement = {}) => {
    const spawned = await scene.spawn(sandbox, ['touch', 'ran'], confinement);
    expect(existsSync(path.join(scene.workspace, 'ran'))).toBe(false);
    expect(readdirSync(path.join(scene.folder)).includes('rows') ? await scene.gate.table.list({}) : []).toEqual([]);
    return spawned;
  };

  test('when a control file is a link', async () => {
    symlinkSync('AGENTS.json', path.join(scene.workspace, 'baton.json'));
    const reason = expect.stringContaining('baton.json is a link');
    expect(await notStarted()).toEqual({ type: 'not-started', reason });
  });

  test('when a control file has a second name', async () => {
    linkSync(path.join(scene.workspace, 'AGENTS.json'), path.join(scene.workspace, 'twin'));
    const reason = expect.stringContaining('AGENTS.json has a second name');
    expect(await notStarted()).toEqual({ type: 'not-started', reason });
  });

  test('when a control file is in no writable folder', async () => {
    const reason = expect.stringContaining('none of the writable folders');
    expect(await notStarted({ control: ['/etc/passwd'] })).toEqual({ type: 'not-started', reason });
  });

  test.each(['/', '/no/such/folder'])('when %s shall be writable', async (folder) => {
    const reason = `${folder} cannot be made writable inside`;
    expect(await notStarted({ writable: [folder], control: [] })).toEqual({ type: 'not-started', reason });
  });

  test('when bwrap fails, and what it says is told', async () => {
    sandbox = bwrapSandbox({ program: bwrapHere(), change: (args) => ['--no-such-option', ...args] });
    const reason = expect.stringContaining('Unknown option --no-such-option');
    expect(await notStarted()).toEqual({ type: 'not-started', reason });
  });
});

onLinux('the gate', () => {
  test('keeps the command waiting inside until its row is written', async () => {
    const table = new HeldTable();
    const spawning = scene.spawn(sandbox, ['touch', 'ran'], {}, { gate: { ...scene.gate, table } });
    await until('it waits inside', () => alive().some(({ command }) => command.startsWith('/bin/sh -c')));
    expect(existsSync(path.join(scene.workspace, 'ran'))).toBe(false);
    table.letGo();
    const spawned = await spawning;
    expect(spawned.type === 'started' && (await spawned.process.ended).exitCode).toBe(0);
    expect(existsSync(path.join(scene.workspace, 'ran'))).toBe(true);
  });

  test('gives a sandboxed command time to tidy up when it is aborted', async () => {
    const abort = new AbortController();
    const tidying = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo tidied; exit 0';
    const script = `trap '${tidying}' TERM; echo ready; while :; do sleep 0.05; done`;
    const child = await inside(script, {}, { signal: abort.signal, limits: { graceMs: 20_000 } });
    await until('it is ready', () => child.stdout.text() === 'ready\n');
    abort.abort();
    expect(await child.ended).toMatchObject({ aborted: true, remaining: [], rowKept: false });
    expect(child.stdout.text()).toBe('ready\ntidied\n');
    expect(alive()).toEqual([]);
  });

  test('ends one that does not listen, with everything it hid', async () => {
    const abort = new AbortController();
    const nap = `sleep 297.${scene.token}`;
    const child = await inside(
      `trap '' TERM; env -i setsid ${nap} & echo up; while :; do ${nap}; done`,
      {},
      {
        signal: abort.signal,
      },
    );
    await until('both nap', () => alive().filter(({ command }) => command === nap).length === 2);
    abort.abort();
    expect(await child.ended).toMatchObject({ aborted: true, remaining: [] });
    expect(alive()).toEqual([]);
  });

  test('finds what is inside from outside, by the mark alone', async () => {
    const nap = `sleep 296.${scene.token}`;
    const child = await inside(nap);
    await until('it naps', () => alive().some(({ command }) => command === nap));
    for (const row of await scene.gate.table.list({})) await scene.gate.table.remove(row);
    const { ended, remaining } = await endLeftovers(scene.gate, `run-${scene.token}`, undefined, { graceMs: 200 });
    expect(remaining).toEqual([]);
    expect(ended.map(({ name }) => name)).toContain('sleep');
    expect(alive()).toEqual([]);
    await child.ended;
  });
});

onLinux('a path that is swapped between looking and mounting', () => {
  test('is never the way to a control file', async () => {
    // One command swaps as fast as it can, in a sandbox that guards nothing, while others start that guard it.
    const swap = 'while :; do ln -sfn elsewhere .agent; rm -f .agent; done';
    mkdirSync(path.join(scene.workspace, 'elsewhere'));
    const abort = new AbortController();
    const swapping = await inside(swap, { control: [] }, { signal: abort.signal });
    const control = [path.join(scene.workspace, '.agent/settings.json')];
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const act = 'mkdir .agent 2>/dev/null; echo evil > .agent/settings.json && echo written';
      const spawned = await scene.spawn(sandbox, ['sh', '-c', act], { control });
      if (spawned.type === 'started') await spawned.process.ended;
      outcomes.add(spawned.type === 'started' ? spawned.process.stdout.text() : spawned.type);
    }
    abort.abort();
    await swapping.ended;
    expect([...outcomes].filter((one) => one.includes('written'))).toEqual([]);
  });
});

onLinux('kill -9 of Baton', () => {
  const start = async (part: 'run' | 'hold', count: number, token: string) => {
    const program = fileURLToPath(await bundle(new URL('./many-trees.ts', import.meta.url)));
    const argv = [program, bwrapHere(), token, String(count), part];
    const baton = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: baton.stdout })) return { baton, ...JSON.parse(line) };
    throw new Error('it ended without a word');
  };
  const trees = (token: string, baton: { pid?: number }) =>
    processesWith(token).filter(({ pid, command }) => pid !== baton.pid && !command.startsWith(process.execPath));

  test(`while ${TREES} sandboxed trees run leaves none of them`, async () => {
    const token = String(randomInt(1e11, 1e12));
    const { baton, folder, stranger } = await start('run', TREES, token);
    const naps = () => trees(token, baton).filter(({ command }) => command === `sleep 298.${token}`);
    await until('all of them run', () => naps().length === 3 * TREES);
    baton.kill('SIGKILL');
    await until('nobody is left', () => trees(token, baton).length === 0);
    process.kill(stranger, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('while commands wait behind the gate leaves none of them, and none has run', async () => {
    const token = String(randomInt(1e11, 1e12));
    const { baton, folder, stranger } = await start('hold', 5, token);
    await until('they wait', () => trees(token, baton).some(({ command }) => command.startsWith('/bin/sh -c')));
    baton.kill('SIGKILL');
    await until('nobody is left', () => trees(token, baton).length === 0);
    process.kill(stranger, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
});
