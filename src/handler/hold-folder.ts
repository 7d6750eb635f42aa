/**
 * One handler per folder, on this machine, whatever their homes. What is held is a socket: the system frees it the
 * moment its holder is dead, so nothing is left behind that somebody would have to judge.
 */
import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';

export type HeldFolder = { release(): Promise<void> };

const ANSWER_MS_MAX = 1_000;

export async function holdFolder(dir: string): Promise<HeldFolder> {
  const address = addressOf(dir);
  for (let tries = 0; ; tries += 1) {
    const server = await listen(address);
    if (server) return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    const pid = await holderOf(dir);
    if (pid === null && tries === 0) {
      // Off Linux a socket is a file, and stays behind when its holder is killed.
      if (!address.startsWith('\0')) rmSync(address, { force: true });
      continue;
    }
    throw busy(dir, pid);
  }
}

export function busy(dir: string, pid: number | null): BatonError {
  return new BatonError('BRIDGE_BUSY', `process ${pid ?? 'unknown'} handles ${dir} already`, { dir, pid });
}

/** The process that handles a folder; null when nobody does. */
export function holderOf(dir: string): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = net.connect(addressOf(dir));
    let said = '';
    const end = (pid: number | null): void => {
      socket.destroy();
      resolve(pid);
    };
    socket.setTimeout(ANSWER_MS_MAX, () => end(null));
    socket.on('data', (bytes) => {
      said += bytes;
    });
    socket.on('end', () => end(Number(said) || null));
    socket.on('error', () => end(null));
  });
}

function listen(address: string): Promise<net.Server | null> {
  return new Promise((resolve, reject) => {
    // Who asks is hung up on: a connection that stayed would keep the folder from being given back.
    const server = net.createServer((socket) =>
      socket.on('error', () => {}).end(String(process.pid), () => socket.destroy()),
    );
    server.once('error', (failure: NodeJS.ErrnoException) =>
      failure.code === 'EADDRINUSE' ? resolve(null) : reject(failure),
    );
    server.listen(address, () => resolve(server.unref()));
  });
}

const NAME_LENGTH = 32;

export function addressOf(dir: string): string {
  const name = `baton-bridge-${createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, NAME_LENGTH)}`;
  return process.platform === 'linux' ? `\0${name}` : path.join(os.tmpdir(), `${name}.sock`);
}
