import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../core/job/job-order.js';
import { workspacePlace } from './commit-work.js';
import type { Deed } from './deed.js';
import { makeGitDirectory, SPARSE_FILE, sparsePatterns } from './git-directory.js';
import { excludeLine, userExcludes } from './ignored-files.js';
import { copyIncluded } from './included-files.js';
import { keepIncluded } from './included-secrets.js';
import { at } from './index-entries.js';
import type { UserRepository } from './user-repository.js';

export const isSparse = ({ paths }: Pick<Repository, 'paths'>): boolean => paths.length > 0;

/** Baton's own git directory of a job, at a commit. */
export function makeJobGit(
  { folder, refs, options }: Deed,
  found: UserRepository,
  repository: Repository,
  commit: string,
) {
  const objects = path.join(found.commonDir, 'objects');
  makeGitDirectory(folder.git, found, { head: refs.head, commit, objects: { shared: objects }, bare: true });
  writeFileSync(excludesOf(folder.git), userExcludes(found, options.environment));
  if (isSparse(repository)) writeFileSync(path.join(folder.git, SPARSE_FILE), sparsePatterns(repository.paths));
}

/** Fills an empty workspace. */
export function checkOutWork(deed: Deed, repository: Repository, commit: string): Promise<unknown> {
  const settings = { 'core.sparseCheckout': String(isSparse(repository)) };
  return deed.git.out(at(workspacePlace(deed), ['read-tree', '-m', '-u', commit], { settings }));
}

/** Copies what `.worktreeinclude` names, and sees to it that it is never committed. */
export function bringIncluded({ folder, options }: Deed, top: string | null, included: readonly string[]): void {
  if (top !== null) {
    copyIncluded(included, top, folder.workspace);
    keepIncluded(folder, options, { top, files: included });
  }
  writeFileSync(excludesOf(folder.git), included.map((file) => `${excludeLine(file) ?? ''}\n`).join(''), { flag: 'a' });
}

function excludesOf(dir: string): string {
  return path.join(dir, 'info', 'exclude');
}
