import type { Deed } from '../deed.js';
import { shownPath, splitPaths } from '../git.js';
import { isAncestor } from '../user-repository.js';

export type ThreeCommits = { base: string; ours: string; theirs: string };

export class GitTooOld extends Error {
  override readonly name = 'GitTooOld';
}

/** What came to be between two commits, put on top of a third. No folder is needed for it. */
export async function mergeTrees(
  deed: Deed,
  dir: string,
  commits: ThreeCommits,
): Promise<{ tree: string } | { conflicts: string[] }> {
  const { git } = deed;
  if (commits.ours === commits.base) return { tree: await treeOf(deed, dir, commits.theirs) };
  const { ours, theirs } = await related(deed, dir, commits);
  const args = ['merge-tree', '--write-tree', '--no-messages', '--name-only', '-z', ours, theirs];
  // A file is never put where its task may not write because somebody else has renamed a folder.
  const settings = { 'merge.directoryRenames': 'false' };
  const { code, out, said } = await git.run({ args, cwd: dir, dir, settings });
  if (code === USAGE) throw new GitTooOld(said);
  if (code > 1) throw new Error(`git merge-tree failed (${code}): ${said.slice(-2_000)}`);
  const [tree = '', ...files] = splitPaths(out);
  return code === 0 ? { tree } : { conflicts: [...new Set(files)].map(shownPath) };
}

const USAGE = 129;

/** Git finds by itself what two commits began with. When the branch was rewritten that is not it, so it is told. */
async function related(deed: Deed, dir: string, { base, ours, theirs }: ThreeCommits) {
  if (await isAncestor(deed.git, dir, base, ours)) return { ours, theirs };
  const standIn = async (commit: string, ...parents: string[]): Promise<string> => {
    const tree = await treeOf(deed, dir, commit);
    const args = ['commit-tree', tree, '-m', 'stand-in', ...parents.flatMap((parent) => ['-p', parent])];
    return deed.git.line({ args, cwd: dir, dir });
  };
  const root = await standIn(base);
  return { ours: await standIn(ours, root), theirs: await standIn(theirs, root) };
}

export function treeOf({ git }: Deed, dir: string, commit: string): Promise<string> {
  return git.line({ args: ['rev-parse', '--verify', `${commit}^{tree}`], cwd: dir, dir });
}
