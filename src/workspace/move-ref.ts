import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './deed.js';
import { shownPath, splitPaths } from './git.js';
import { inRepository } from './user-repository.js';

type Move = {
  commonDir: string;
  ref: string;
  from: string;
  to: string /** Where the ref is checked out. */;
  trees: readonly string[];
};
type NotMoved = { type: 'moved' } | { type: 'refused'; reason: string };

const FILES_SHOWN_MAX = 20;

/** Moves a branch from exactly one commit to another, and a clean tree with it. Null when it is done. */
export async function moveRef(deed: Deed, move: Move): Promise<NotMoved | null> {
  const { from, to, trees } = move;
  const [tree, ...others] = trees;
  if (others.length > 0)
    return refused(`The branch is checked out in ${trees.join(' and ')}. Leave it in one of them.`);
  if (tree === undefined) return update(deed, move);
  const dirty = await changedIn(deed, tree);
  if (dirty.length > 0) {
    const shown = dirty.slice(0, FILES_SHOWN_MAX).join(', ');
    return refused(`${tree} has changes that are not committed: ${shown}. Commit or stash them, then land again.`);
  }
  const inTheWay = await untrackedInTheWay(deed, move, tree);
  if (inTheWay.length > 0) return blocked(tree, inTheWay.slice(0, FILES_SHOWN_MAX).join(', '));
  // As git's own fast-forward does it: first the files, under the lock of the index, then the ref.
  const followed = await follow(deed, tree, from, to);
  if (followed) return followed;
  const lost = await update(deed, move);
  if (lost) await follow(deed, tree, to, from);
  return lost;
}

async function update({ git, run }: Deed, { commonDir, ref, from, to }: Move): Promise<NotMoved | null> {
  const args = ['update-ref', '-m', `baton: land ${run}`, ref, to, from];
  const { code, said } = await git.run(inRepository(commonDir, args));
  if (code === 0) return null;
  if (/but expected|unable to resolve|reference (is )?missing/i.test(said)) return { type: 'moved' };
  throw new Error(`git update-ref failed (${code}): ${said.slice(-2_000)}`);
}

/** In the user's tree the user's own settings count, so that line endings and filters are as with `git merge`. */
function asUser({ options }: Deed): Record<string, string> {
  const { HOME, XDG_CONFIG_HOME } = options.environment;
  return {
    ...(HOME !== undefined && { HOME, GIT_CONFIG_GLOBAL: `${HOME}/.gitconfig` }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    GIT_CONFIG_NOSYSTEM: '0',
    GIT_ATTR_NOSYSTEM: '0',
  };
}

async function changedIn(deed: Deed, tree: string): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all', '--no-renames'];
  const out = await deed.git.out({ args, cwd: tree, env: asUser(deed), asUser: true });
  return out
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => shownPath(line.slice(3)));
}

async function follow(deed: Deed, tree: string, from: string, to: string): Promise<NotMoved | null> {
  const args = ['read-tree', '-m', '-u', '--exclude-per-directory=.gitignore', from, to];
  const { code, said } = await deed.git.run({ args, cwd: tree, env: asUser(deed), asUser: true });
  if (code === 0) return null;
  if (/index\.lock/.test(said)) return refused(`${tree} is in use by another git. Land again when it is done.`);
  if (/overwritten|not uptodate|would lose/i.test(said))
    return blocked(tree, said.replace(/^error: /gm, '').slice(0, 1_000));
  throw new Error(`git read-tree failed (${code}): ${said.slice(-2_000)}`);
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

const blocked = (tree: string, files: string): NotMoved =>
  refused(`Files in ${tree} are in the way: ${files}. Move them, then land again.`);
const refused = (reason: string) => ({ type: 'refused', reason }) as const;
