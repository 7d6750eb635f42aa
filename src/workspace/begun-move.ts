import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { JobFolder } from './job-folder.js';

/** What is about to be done to a user's tree, written down before it begins: whoever goes on can take it back. */
export type BegunMove = { ref: string; from: string; to: string; tree: string; files: number };

const fileOf = ({ root }: JobFolder): string => path.join(root, 'landing.json');

export function readMove(folder: JobFolder): BegunMove | null {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as BegunMove;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw failure;
  }
}

/** Old or new, never half. */
export function writeMove(folder: JobFolder, move: BegunMove): void {
  mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  const temporary = `${fileOf(folder)}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(move));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, fileOf(folder));
}

export function forgetMove(folder: JobFolder): void {
  rmSync(fileOf(folder), { force: true });
}
