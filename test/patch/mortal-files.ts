/**
 * Stands in for node:fs/promises in a program that is built with it: counts what changes files, and ends the process by
 * SIGKILL just before the one whose number is in BATON_KILL_AT. Of a write half is done.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';

const real = createRequire(import.meta.url)('node:fs/promises') as typeof import('node:fs/promises');
const killAt = Number(process.env.BATON_KILL_AT);
let count = 0;

function step(): boolean {
  count += 1;
  return count === killAt;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way; nothing may be done meanwhile.
  for (;;) {}
}

function mortal<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => (step() ? die() : call(...args));
}

export const { lstat, realpath } = real;
export const link = mortal(real.link);
export const mkdir = mortal(real.mkdir as (path: string) => Promise<void>);
export const rename = mortal(real.rename);
export const rm = mortal(real.rm);
export const rmdir = mortal(real.rmdir);

export async function open(...args: Parameters<typeof real.open>): Promise<FileHandle> {
  const [, flags] = args;
  const writes = typeof flags === 'number' ? (flags & constants.O_CREAT) !== 0 : flags === 'wx';
  if (writes && step()) die();
  const handle = await real.open(...args);
  const write = handle.write.bind(handle);
  const sync = handle.sync.bind(handle);
  handle.sync = mortal(sync);
  handle.write = (async (bytes: Uint8Array, offset: number, length: number) => {
    if (!step()) return write(bytes, offset, length);
    await write(bytes, offset, Math.floor(length / 2));
    return die();
  }) as typeof handle.write;
  return handle;
}
