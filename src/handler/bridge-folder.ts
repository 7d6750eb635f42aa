/**
 * The three files of contract 001, from the handler's side.
 *
 * F1 A file is written whole or not at all: beside it, synced, then renamed.
 * F2 A link, a pipe or a folder in place of a file is no file. Nothing outside of the folder is opened or replaced.
 */
import { constants } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  BRIDGE_BYTES_MAX,
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../contracts/bridge/bridge-file-names.js';
import type { FileName } from '../core/bridge/bridge-messages.js';
import type { BridgeFolder, FileSeen, FilesSeen } from '../engine/bridge/bridge-folder.js';
import { writeAtomically } from '../system/atomic-write.js';

const NAMES: Readonly<Record<FileName, string>> = {
  request: REQUEST_FILE,
  response: RESPONSE_FILE,
  state: STATE_FILE,
};
const FILE_NAMES = Object.keys(NAMES) as FileName[];
const MODE = 0o600;
/** As writeAtomically names what it has not written to its end, and as orchestrators do. */
const HALF_WRITTEN = /^(?:\.(.+)\.[0-9a-f]{12}|(.+))\.tmp$/;

export const bridgeFolder: BridgeFolder = {
  async look(dir) {
    const [request, response, state] = await Promise.all(FILE_NAMES.map((name) => see(path.join(dir, NAMES[name]))));
    return { request, response, state } as FilesSeen;
  },
  write: (dir, name, text) => writeAtomically(path.join(dir, NAMES[name]), text, { mode: MODE }),
  remove: (dir, name) => rm(path.join(dir, NAMES[name]), { force: true }),
  async sweep(dir) {
    const names = await readdir(dir).catch(() => []);
    for (const name of names.filter(isHalfWritten)) await rm(path.join(dir, name), { force: true });
  },
  async setResponseAside(dir) {
    await rename(path.join(dir, RESPONSE_FILE), path.join(dir, REJECTED_FILE));
    return REJECTED_FILE;
  },
};

function isHalfWritten(file: string): boolean {
  const [, ours, theirs] = HALF_WRITTEN.exec(file) ?? [];
  return Object.values(NAMES).includes(ours ?? theirs ?? '');
}

async function see(file: string): Promise<FileSeen | null> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { bytes: null, atMs: null, problem: code === 'ELOOP' ? 'it is a link' : `it cannot be read (${code})` };
  }
  try {
    const stat = await handle.stat();
    const atMs = stat.mtimeMs;
    if (!stat.isFile()) return { bytes: null, atMs, problem: 'it is no file' };
    if (stat.size > BRIDGE_BYTES_MAX) return { bytes: null, atMs, problem: `it has ${stat.size} bytes` };
    return { bytes: await handle.readFile(), atMs, problem: null };
  } finally {
    await handle.close();
  }
}
