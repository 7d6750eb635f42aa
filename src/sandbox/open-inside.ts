/**
 * Opens a file of a folder that somebody hostile can write to.
 *
 * No link is followed, at any level, and nothing is opened before it is known to be a regular file with one name: each
 * step holds a descriptor of the folder it is in (Linux: O_PATH, which opens nothing), and the file that is read is
 * the one that was looked at, whatever is swapped meanwhile.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import path from 'node:path';

export type Opened =
  | { type: 'file'; handle: FileHandle; stats: Stats }
  | { type: 'missing' }
  /** Why it is never opened, as the end of a sentence. */
  | { type: 'refused'; because: string };

const O_PATH = 0o10000000; // Node has no name for it
const O_NOFOLLOW_ANY = 0x20000000; // macOS: not even on the way
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG']);

export async function openInside(folder: string, file: string): Promise<Opened> {
  const names = file.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) return { type: 'missing' };
  try {
    return process.platform === 'linux' ? await walk(folder, names) : await openAtOnce(folder, names);
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (GONE.has(code)) return { type: 'missing' };
    if (code === 'ELOOP') return { type: 'refused', because: 'leads through a link' };
    throw failure;
  }
}

async function walk(folder: string, names: readonly string[]): Promise<Opened> {
  let here = await open(folder, O_PATH | O_NOFOLLOW);
  try {
    for (const [depth, name] of names.entries()) {
      const next = await open(`/proc/self/fd/${here.fd}/${name}`, O_PATH | O_NOFOLLOW);
      await here.close();
      here = next;
      const verdict = judge(await here.stat(), depth === names.length - 1);
      if (verdict) return verdict;
    }
    const handle = await open(`/proc/self/fd/${here.fd}`, O_RDONLY);
    return { type: 'file', handle, stats: await handle.stat() };
  } finally {
    await here.close();
  }
}

/** Where descriptors have no names: looked at first, then opened without following, then compared. */
async function openAtOnce(folder: string, names: readonly string[]): Promise<Opened> {
  for (const depth of names.keys()) {
    const verdict = judge(await lstat(path.join(folder, ...names.slice(0, depth + 1))), depth === names.length - 1);
    if (verdict) return verdict;
  }
  const file = path.join(folder, ...names);
  const handle = await open(
    file,
    O_RDONLY | O_NONBLOCK | (process.platform === 'darwin' ? O_NOFOLLOW_ANY : O_NOFOLLOW),
  );
  const stats = await handle.stat();
  const verdict = judge(stats, true);
  if (!verdict) return { type: 'file', handle, stats };
  await handle.close();
  return verdict;
}

/** Undefined when the way goes on, or the file may be read. */
function judge(stats: Stats, last: boolean): Exclude<Opened, { type: 'file' }> | undefined {
  if (stats.isSymbolicLink()) return { type: 'refused', because: 'leads through a link' };
  if (!last) return stats.isDirectory() ? undefined : { type: 'missing' };
  if (stats.isDirectory()) return { type: 'missing' };
  if (!stats.isFile()) return { type: 'refused', because: 'is not a regular file' };
  if (stats.nlink > 1) return { type: 'refused', because: 'has another name elsewhere (hard link)' };
  return undefined;
}
