import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './deed.js';
import { blocked, followTree, type NotMoved, refused } from './follow-tree.js';
import { shownPath, splitPaths } from './git.js';
import { readRefs } from './publish.js';
import { inRepository } from './user-repository.js';
import { asUser } from './user-settings.js';

type Move = {
  commonDir: string;
  ref: string;
  from: string;
  to: string /** Where the ref is checked out. */;
  trees: readonly string[];
  /** How many differ. */
  files: number;
};

const FILES_SHOWN_MAX = 20;

/** Moves a branch from exactly one commit to another, and a clean tree with it. Null when it is done. */
export async function moveRef(deed: Deed, move: Move): Promise<NotMoved | null> {
  const { trees } = move;
  const [tree, ...others] = trees;
  if (others.length > 0)
    return refused(`The branch is checked out in ${trees.join(' and ')}. Leave it in one of them.`);
  if (tree === undefined) return update(deed, move);
  const { ref, from, to, files } = move;
  // Begun, it is brought to its end: whoever is told to stop does not leave a tree that is half one commit.
  const steady = deed.unstoppable();
  return followTree(
    steady,
    { ref, from, to, files, tree },
    () => hindrance(steady, move, tree),
    () => update(steady, move),
  );
}

async function hindrance(deed: Deed, move: Move, tree: string): Promise<NotMoved | null> {
  const { commonDir, ref, from } = move;
  if ((await readRefs(deed.git, commonDir, [ref])).get(ref) !== from) return { type: 'moved' };
  const dirty = await changedIn(deed, tree);
  if (dirty.length > 0) {
    const shown = dirty.slice(0, FILES_SHOWN_MAX).join(', ');
    return refused(`${tree} has changes that are not committed: ${shown}. Commit or stash them, then land again.`);
  }
  const inTheWay = await untrackedInTheWay(deed, move, tree);
  return inTheWay.length > 0 ? blocked(tree, inTheWay.slice(0, FILES_SHOWN_MAX).join(', ')) : null;
}

async function update({ git, run }: Deed, { commonDir, ref, from, to }: Move): Promise<NotMoved | null> {
  const args = ['update-ref', '-m', `baton: land ${run}`, ref, to, from];
  const { code, said } = await git.run(inRepository(commonDir, args));
  if (code === 0) return null;
  if (/but expected|unable to resolve|reference (is )?missing/i.test(said)) return { type: 'moved' };
  throw new Error(`git update-ref failed (${code}): ${said.slice(-2_000)}`);
}

async function changedIn(deed: Deed, tree: string): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all', '--no-renames'];
  const out = await deed.git.out({ args, cwd: tree, ...asUser(deed) });
  return out
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => shownPath(line.slice(3)));
}

/** Git itself would overwrite what is ignored without a word. Links count as files: nothing is written through them. */
async function untrackedInTheWay({ git }: Deed, { commonDir, from, to }: Move, tree: string): Promise<string[]> {
  const listing = (filter: string) =>
    inRepository(commonDir, ['diff-tree', '-r', '-z', '--no-renames', '--name-only', filter, from, to]);
  const added = splitPaths(await git.out(listing('--diff-filter=A'))).map(shownPath);
  const gone = splitPaths(await git.out(listing('--diff-filter=D'))).map(shownPath);
  const goneFiles = new Set(gone);
  const blocks = (file: string): boolean => {
    const names = file.split('/');
    return names.some((_, depth) => {
      const way = names.slice(0, depth + 1).join('/');
      const there = lstatSync(path.join(tree, way), { throwIfNoEntry: false });
      if (!there || goneFiles.has(way)) return false;
      if (depth < names.length - 1) return !there.isDirectory();
      return !(there.isDirectory() && gone.some((other) => other.startsWith(`${way}/`)));
    });
  };
  return added.filter(blocks);
}
