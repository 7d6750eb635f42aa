import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../system/file-lock.js';
import { systemProbe } from './system-probe.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'baton-probe-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const notTried = async () => ({ type: 'fails', said: 'not tried' }) as const;
const probe = () => systemProbe({ PATH: process.env.PATH, SEEN: 'yes' }, notTried);

/** A killed process may take a moment to vanish, and becomes a zombie where nobody collects it. */
async function isGone(pid: number): Promise<boolean> {
  for (let round = 0; round < 50; round += 1) {
    const status = await probe().readText(`/proc/${pid}/status`);
    if (!isAlive(pid) || /^State:\s+Z/m.test(status ?? '')) return true;
    await sleep(20);
  }
  return false;
}

describe('running a program', () => {
  test('gives its exit code and both outputs, with the given environment and no input', async () => {
    const file = await program('ok', 'cat; echo "out $SEEN $1"; echo err >&2; exit 3');
    expect(await probe().run(file, ['word'], 5000)).toEqual({
      type: 'exited',
      code: 3,
      stdout: 'out yes word\n',
      stderr: 'err\n',
    });
  });

  test('ends one that hangs, and the children it started', async () => {
    const file = await program('hang', `trap '' TERM; sleep 300 & echo $! > ${folder}/pid; wait; sleep 300`);
    const startedMs = performance.now();
    expect(await probe().run(file, [], 300)).toEqual({ type: 'timeout' });
    expect(performance.now() - startedMs).toBeLessThan(2000);
    expect(await isGone(Number(await probe().readText(`${folder}/pid`)))).toBe(true);
  });

  test('ends what a program leaves behind after its own exit', async () => {
    const file = await program('leaves', `sleep 300 & echo $! > ${folder}/pid; echo 1.2.3`);
    expect(await probe().run(file, [], 5000)).toMatchObject({ type: 'exited', stdout: '1.2.3\n' });
    expect(await isGone(Number(await probe().readText(`${folder}/pid`)))).toBe(true);
  });

  test('keeps only so much of endless output', async () => {
    const result = await probe().run(await program('loud', 'yes | head -c 1000000'), [], 5000);
    expect(result).toMatchObject({ type: 'exited', code: 0 });
    expect(result.type === 'exited' && result.stdout.length).toBe(64 * 1024);
  });

  test('tells of a signal, and of a file that is no program', async () => {
    expect(await probe().run(await program('dies', 'kill -9 $$'), [], 5000)).toEqual({
      type: 'killed',
      signal: 'SIGKILL',
    });
    expect(await probe().run(path.join(folder, 'nothing'), [], 5000)).toMatchObject({ type: 'failed' });
  });
});

describe('finding a program', () => {
  test('takes the first on PATH that is a file and may be run', async () => {
    await mkdir(path.join(folder, 'a/claude'), { recursive: true });
    await mkdir(path.join(folder, 'b'));
    await writeFile(path.join(folder, 'b/claude'), 'not executable', { mode: 0o644 });
    const file = await program('claude', '');
    const PATH = [path.join(folder, 'a'), path.join(folder, 'b'), folder].join(':');
    expect(await systemProbe({ PATH }, notTried).find('claude')).toBe(file);
    expect(await systemProbe({ PATH }, notTried).find('codex')).toBeUndefined();
  });

  test('never looks in the folder one stands in', async () => {
    const name = path.basename(await program('claude', ''));
    const relative = path.relative(process.cwd(), folder);
    expect(await systemProbe({ PATH: `:.:${relative}` }, notTried).find(name)).toBeUndefined();
    expect(await systemProbe({}, notTried).find(name)).toBeUndefined();
  });
});

describe('SQLite', () => {
  test('is tried on a real file with WAL and full sync, and nothing stays behind', async () => {
    const trial = await probe().trySqlite(folder);
    expect(trial.onFile).toEqual({ journalMode: 'wal', synchronous: 2, walSeen: true, rowKept: true });
    expect(trial.version).toMatch(/^3\.\d+\.\d+$/);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('connecting', () => {
  test('tells when somebody listens, when nobody does, and gives up in time', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    expect(await probe().connect({ host: '127.0.0.1', port }, 2000)).toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    expect(await probe().connect({ host: '127.0.0.1', port }, 2000)).toBe('ECONNREFUSED');
    expect(await probe().connect({ path: path.join(folder, 'none.sock') }, 2000)).toBe('ENOENT');
  });
});
