import { lstatSync, mkdirSync, readdirSync, rmdirSync, type Stats } from 'node:fs';

/** How many commands have each cover in use. Several may work in the same folder at once. */
const users = new Map<string, number>();

/** By this a cover that a kill left is told from a folder of somebody else. */
const NOT_WRITABLE = 0o555;
const WRITE_BITS = 0o222;

export function isCover(path: string, facts: Stats): boolean {
  return facts.isDirectory() && (facts.mode & WRITE_BITS) === 0 && readdirSync(path).length === 0;
}

/**
 * Makes the empty folders over which "nothing can be made here" is mounted, and takes them away after the last command.
 * Folders, not files: git does not see an empty folder, so one that stays after a kill changes nothing; the next command
 * in that place takes it away.
 */
export function takeCovers(paths: readonly string[]): () => void {
  for (const path of paths) {
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: NOT_WRITABLE });
    users.set(path, (users.get(path) ?? 0) + 1);
  }
  let taken = true;
  return () => {
    if (taken) for (const path of paths) leave(path);
    taken = false;
  };
}

function leave(path: string): void {
  const others = (users.get(path) ?? 1) - 1;
  if (others > 0) {
    users.set(path, others);
    return;
  }
  users.delete(path);
  try {
    rmdirSync(path);
  } catch {
    // Gone already, or somebody outside put something there: then it is theirs.
  }
}
