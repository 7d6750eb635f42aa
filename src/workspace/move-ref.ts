import type { Deed } from './deed.js';
import { shownPath } from './git.js';
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
  const out = await deed.git.out({ args, cwd: tree, env: asUser(deed) });
  return out
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => shownPath(line.slice(3)));
}

async function follow(deed: Deed, tree: string, from: string, to: string): Promise<NotMoved | null> {
  const args = ['read-tree', '-m', '-u', '--exclude-per-directory=.gitignore', from, to];
  const { code, said } = await deed.git.run({ args, cwd: tree, env: asUser(deed) });
  if (code === 0) return null;
  if (/index\.lock/.test(said)) return refused(`${tree} is in use by another git. Land again when it is done.`);
  if (/overwritten|not uptodate|would lose/i.test(said)) {
    return refused(
      `Files in ${tree} are in the way: ${said.replace(/^error: /gm, '').slice(0, 1_000)}. Move them, then land again.`,
    );
  }
  throw new Error(`git read-tree failed (${code}): ${said.slice(-2_000)}`);
}

const refused = (reason: string) => ({ type: 'refused', reason }) as const;
