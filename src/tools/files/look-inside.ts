import { lstat } from 'node:fs/promises';
import path from 'node:path';

export type Seen = 'file' | 'folder' | 'missing' | 'link' | 'other';
const GONE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP']);

/** What a plain path names; nothing is opened, and the first link on the way decides. */
export async function lookInside(folder: string, plain: string): Promise<Seen> {
  let seen: Seen = 'folder';
  let here = folder;
  for (const name of plain.split('/').filter((one) => one !== '' && one !== '.')) {
    if (seen !== 'folder') return 'missing';
    here = path.join(here, name);
    try {
      const stats = await lstat(here);
      if (stats.isSymbolicLink()) return 'link';
      seen = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
    } catch (problem) {
      if (GONE.has((problem as NodeJS.ErrnoException).code ?? '')) return 'missing';
      throw problem;
    }
  }
  return seen;
}
