import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';

export type SourceFile = {
  bytes: Buffer;
  /** Absent when the bytes are no text: such a file is taken as it is. */
  text?: string;
  executable: boolean;
};

/** A file below `root`; undefined when it is gone, no regular file, too large, or leads out of the folder. */
export function readSourceFile(root: string, name: string, bytesMax: number): SourceFile | undefined {
  if (pathProblem(name) !== undefined) return undefined;
  try {
    const full = path.join(realpathSync(root), name);
    if (realpathSync(full) !== full) return undefined;
    return readWhole(full, bytesMax);
  } catch {
    return undefined;
  }
}

function readWhole(full: string, bytesMax: number): SourceFile | undefined {
  const file = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > bytesMax) return undefined;
    const bytes = readFileSync(file);
    const text = decode(bytes);
    return { bytes, ...(text !== undefined && { text }), executable: (stats.mode & 0o111) !== 0 };
  } finally {
    closeSync(file);
  }
}

/** Only what becomes the same bytes again is text. */
export function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
