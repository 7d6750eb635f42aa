import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openInside } from '../../sandbox/open-inside.js';
import { lookInside } from '../../tools/files/look-inside.js';

export const FILE_BYTES_MAX = 2 * 1024 * 1024;
/** A program that changes its rights when it is started is nothing for a patch. */
const SET_ID = 0o6000;

export type SeenFile =
  | { type: 'file'; bytes: Buffer; hash: string; stats: Stats }
  | { type: 'missing' }
  /** The end of a sentence. */
  | { type: 'refused'; because: string };

/** A file below the folder, read without following a link; only what a patch may change is read. */
export async function lookAtFile(folder: string, below: string): Promise<SeenFile> {
  const opened = await openInside(folder, below);
  if (opened.type === 'refused') return opened;
  if (opened.type === 'missing') return lookCloser(folder, below);
  const { handle, stats } = opened;
  try {
    if ((stats.mode & SET_ID) !== 0) return { type: 'refused', because: 'runs with the rights of its owner (setuid)' };
    const bytes = await readUpTo(handle, FILE_BYTES_MAX + 1);
    if (bytes.length > FILE_BYTES_MAX) return { type: 'refused', because: `has more than ${FILE_BYTES_MAX} bytes` };
    return { type: 'file', bytes, hash: hashOf(bytes), stats };
  } finally {
    await handle.close();
  }
}

/** What cannot be opened as a file may still be there. */
async function lookCloser(folder: string, below: string): Promise<SeenFile> {
  const names = below.split('/');
  for (const depth of names.keys()) {
    const last = depth === names.length - 1;
    const seen = await lookInside(folder, names.slice(0, depth + 1).join('/'));
    if (seen === 'missing') return { type: 'missing' };
    if (seen === 'link') return { type: 'refused', because: 'leads through a link' };
    if (last) return { type: 'refused', because: seen === 'folder' ? 'is a folder' : 'cannot be read' };
    if (seen !== 'folder') return { type: 'refused', because: `lies below ${names[depth]}, which is no folder` };
  }
  return { type: 'missing' };
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function readUpTo(handle: FileHandle, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = bytesMax; left > 0; ) {
    const part = Buffer.allocUnsafe(Math.min(left, 64 * 1024));
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(parts);
}
