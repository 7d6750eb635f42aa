import { existsSync, mkdirSync, readlinkSync, renameSync } from 'node:fs';
import path from 'node:path';
import { makeGitDirectory } from '../git-directory.js';
import type { JobFolder } from '../job-folder.js';
import { removeFolder } from '../remove-folder.js';
import type { UserRepository } from '../user-repository.js';

export const mergeFolder = ({ root }: Pick<JobFolder, 'root'>): string => path.join(root, 'merge');

/** A git directory without hooks and settings of anybody's, whose objects are the user's. Several may use it at once. */
export function makeMergeFolder(folder: JobFolder, found: UserRepository, commit: string): string {
  const dir = mergeFolder(folder);
  const objects = path.join(found.commonDir, 'objects');
  if (ledgerRepository(folder) === found.commonDir) return dir;
  removeFolder(dir);
  mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  const made = `${dir}.${process.pid}`;
  removeFolder(made);
  makeGitDirectory(made, found, { head: 'refs/heads/base', commit, objects: { shared: objects }, bare: true });
  try {
    renameSync(made, dir);
  } catch (failure) {
    removeFolder(made);
    if (!existsSync(dir)) throw failure; // else another one was faster
  }
  return dir;
}

/** The git directory of the user's repository in which a ledger has merged; null when it has not. */
export function ledgerRepository(folder: Pick<JobFolder, 'root'>): string | null {
  const dir = mergeFolder(folder);
  return existsSync(dir) ? path.dirname(readlinkSync(path.join(dir, 'objects'))) : null;
}
