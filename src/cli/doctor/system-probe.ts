import { constants } from 'node:fs';
import { access, readFile, realpath, stat, statfs } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { isAlive } from '../../system/file-lock.js';
import type { Io } from '../io.js';
import type { FileFacts, Probe } from './probe.js';
import { runProgram } from './run-program.js';
import { trySqlite } from './sqlite-trial.js';

/** `trySandbox` comes from above: the command line does not know the sandbox. */
export function systemProbe(env: Io['env'], trySandbox: Probe['trySandbox']): Probe {
  return {
    platform: process.platform,
    nodeVersion: process.versions.node,
    uid: process.getuid?.(),
    find: (program) => find(program, env.PATH ?? ''),
    run: (program, args, timeoutMs) => runProgram(program, args, { env: { ...env }, timeoutMs }),
    readText: (file) => unlessMissing(readFile(file, 'utf8')),
    stat: async (file) => {
      const facts = await unlessMissing(stat(file));
      return facts && { kind: kindOf(facts), mode: facts.mode & 0o7777, uid: facts.uid };
    },
    isWritable: (folder) =>
      access(folder, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      ),
    realPath: (file) => realpath(file),
    freeBytes: async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    isAlive,
    connect,
    trySandbox,
    trySqlite,
  };
}

/** Only absolute entries of PATH count: a program must not come from whatever folder one stands in. */
async function find(program: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const file = path.join(folder, program);
    const usable = await access(file, constants.X_OK).then(
      async () => (await stat(file)).isFile(),
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}

async function unlessMissing<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw failure;
  }
}

function kindOf(facts: { isFile(): boolean; isDirectory(): boolean }): FileFacts['kind'] {
  if (facts.isDirectory()) return 'folder';
  return facts.isFile() ? 'file' : 'other';
}

function connect(
  target: { host: string; port: number } | { path: string },
  timeoutMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ ...target, timeout: timeoutMs });
    const finish = (why: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(why);
    };
    // The socket's own timeout does not cover the look-up of the name.
    const timer = setTimeout(() => finish(`no answer in ${timeoutMs / 1000} s`), timeoutMs);
    socket.once('connect', () => finish(undefined));
    socket.once('error', (failure: NodeJS.ErrnoException) => finish(failure.code ?? failure.message));
  });
}
