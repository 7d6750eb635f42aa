import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';
import type { Project } from './project.js';

/** The beginning of a file of the project; undefined when it is gone, no text any more, or leads out of the project. */
export function readText(
  { root }: Pick<Project, 'root'>,
  name: string,
  bytesMax: number,
): { text: string; cut: boolean } | undefined {
  if (pathProblem(name) !== undefined) return undefined;
  try {
    const full = path.join(realpathSync(root), name);
    if (realpathSync(full) !== full) return undefined;
    const { bytes, cut } = readHead(full, bytesMax);
    return bytes.includes(0) ? undefined : { text: wholeCharacters(bytes, cut), cut };
  } catch {
    return undefined;
  }
}

function readHead(full: string, bytesMax: number): { bytes: Buffer; cut: boolean } {
  const file = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('not a file');
    const bytes = Buffer.alloc(Math.min(stats.size, bytesMax));
    let done = 0;
    for (let count = -1; done < bytes.length && count !== 0; done += count) {
      count = readSync(file, bytes, done, bytes.length - done, done);
    }
    return { bytes: bytes.subarray(0, done), cut: stats.size > bytesMax };
  } finally {
    closeSync(file);
  }
}

/** A cut may go through a character. */
function wholeCharacters(bytes: Buffer, cut: boolean): string {
  const text = bytes.toString('utf8');
  return cut ? text.replace(/\ufffd{1,3}$/, '') : text;
}
