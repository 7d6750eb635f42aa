import { type Git, type GitCall, joinPaths, splitPaths } from './git.js';

/** A git directory, the folder it looks at, and the index it keeps about it. */
export type Place = { dir: string; tree: string; index?: string };

export function at({ dir, tree, index }: Place, args: readonly string[], more: Partial<GitCall> = {}): GitCall {
  return { args, cwd: tree, dir, tree, ...(index !== undefined && { index }), ...more };
}

/** `skipped`: git leaves the file in the folder alone. `path` as Latin-1. */
export type IndexEntry = { path: string; mode: string; skipped: boolean };

export const isSubmodule = ({ mode }: IndexEntry): boolean => mode === '160000';

export async function indexEntries(git: Git, place: Place): Promise<IndexEntry[]> {
  return splitPaths(await git.out(at(place, ['ls-files', '-t', '-s', '-z']))).map((line) => ({
    path: line.slice(line.indexOf('\t') + 1),
    mode: line.slice(2, 8),
    skipped: line[0] === 'S' || line[0] === 's',
  }));
}

export async function markSkipped(git: Git, place: Place, paths: readonly string[], skipped: boolean): Promise<void> {
  if (paths.length === 0) return;
  const args = ['update-index', skipped ? '--skip-worktree' : '--no-skip-worktree', '-z', '--stdin'];
  await git.out(at(place, args, { stdin: joinPaths(paths) }));
}

/**
 * Git runs itself inside the folder of a submodule to see whether it changed, and there with the settings of whatever
 * repository lies in it. An entry that is skipped is not looked at.
 */
export async function skipSubmodules(git: Git, place: Place, entries: readonly IndexEntry[]): Promise<void> {
  const seen = entries.filter((entry) => isSubmodule(entry) && !entry.skipped).map(({ path }) => path);
  await markSkipped(git, place, seen, true);
}
