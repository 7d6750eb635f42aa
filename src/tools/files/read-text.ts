import type { FileHandle } from 'node:fs/promises';
import { openInside } from '../../sandbox/open-inside.js';

export const FILE_BYTES_MAX = 1024 * 1024;
/** Git's own measure of what is text. */
const LOOKED_AT_BYTES = 8_000;

export type Text =
  | { type: 'text'; text: string }
  | { type: 'binary' }
  | { type: 'large'; bytes: number }
  | { type: 'missing' }
  | { type: 'refused'; because: string };

/** The text of a file of the folder, opened without following a link. The path must be plain. */
export async function readText(folder: string, path: string): Promise<Text> {
  const opened = await openInside(folder, path);
  if (opened.type !== 'file') return opened;
  const { handle, stats } = opened;
  try {
    if (stats.size > FILE_BYTES_MAX) return { type: 'large', bytes: stats.size };
    const bytes = await readBytes(handle, stats.size);
    if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) return { type: 'binary' };
    return { type: 'text', text: bytes.toString('utf8') };
  } finally {
    await handle.close();
  }
}

/** Of a file that grows meanwhile, what it was when it was looked at. */
async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  for (let length = 0; length < size; ) {
    const { bytesRead } = await handle.read(buffer, length, size - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return buffer;
}

/** As grep counts them: a line break ends a line, and what follows the last one is no line when it is empty. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
