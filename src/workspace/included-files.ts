import { constants, copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { UserFiles } from './bring-along.js';
import { shownPath } from './git.js';
import type { Problem } from './user-repository.js';

const INCLUDE_LIST = '.worktreeinclude';
const FILES_MAX = 1_000;

/** What the user's `.worktreeinclude` names and git does not track. */
export async function findIncluded(files: UserFiles, top: string): Promise<string[] | Problem> {
  const list = path.join(top, INCLUDE_LIST);
  if (!hasIncludeList(top)) return [];
  const named = (await files.matching(list)).map(shownPath);
  const regular = named.filter((file) => lstatSync(path.join(top, file), { throwIfNoEntry: false })?.isFile());
  if (regular.length <= FILES_MAX) return regular;
  return { problem: `${INCLUDE_LIST} names ${regular.length} files; at most ${FILES_MAX} are copied. Name fewer.` };
}

/** The workspace may be an agent's work: nothing is written through a link that it has left there. */
export function copyIncluded(files: readonly string[], top: string, workspace: string): void {
  for (const file of files.filter((one) => !meetsLink(workspace, one))) {
    const copy = path.join(workspace, file);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(path.join(top, file), copy, constants.COPYFILE_FICLONE);
  }
}

function meetsLink(workspace: string, file: string): boolean {
  const names = file.split('/');
  return names.some((_, depth) => {
    const facts = lstatSync(path.join(workspace, ...names.slice(0, depth + 1)), { throwIfNoEntry: false });
    const isFine = depth < names.length - 1 ? facts?.isDirectory() : facts?.isFile();
    return facts !== undefined && !isFine;
  });
}

export const hasIncludeList = (top: string): boolean =>
  lstatSync(path.join(top, INCLUDE_LIST), { throwIfNoEntry: false })?.isFile() === true;
