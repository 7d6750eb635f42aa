import type { Deed } from './deed.js';
import { joinPaths, shownPath } from './git.js';

/** One file that differs between two commits; `mode` and `object` are those of the first. Path as Latin-1. */
export type Differing = { path: string; mode: string; object: string };

/** All that differs between two commits, or only what the patterns match. */
export async function differing(
  { git, folder }: Deed,
  from: string,
  to: string,
  which: { patterns: readonly string[] } | { names: readonly string[] } | 'all',
): Promise<Differing[]> {
  const literal = which !== 'all' && 'names' in which;
  const paths = which === 'all' ? [] : 'names' in which ? which.names : which.patterns.map(asPathspec);
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to, '--', ...paths];
  const fields = (await git.out({ args, cwd: folder.git, dir: folder.git, literal })).toString('latin1').split('\0');
  const found: Differing[] = [];
  for (let next = 0; next + 1 < fields.length; next += 2) {
    const [mode = '', , object = ''] = (fields[next] ?? '').slice(1).split(' ');
    found.push({ path: fields[next + 1] ?? '', mode, object });
  }
  return found;
}

/** `*` stays within a folder, `**` does not; a folder stands for all in it. */
function asPathspec(pattern: string): string {
  return `:(top,glob)${pattern.replace(/^\/+/, '')}`;
}

/** The tree of a commit in which these files are as in the first of the two. */
export async function treeWith(
  { git, folder }: Deed,
  commit: string,
  files: readonly Differing[],
  index: string,
): Promise<string> {
  const call = { cwd: folder.git, dir: folder.git, index };
  await git.out({ ...call, args: ['read-tree', commit] });
  const lines = files.map(({ path, mode, object }) =>
    mode === '000000' ? `0 ${object}\t${path}` : `${mode} ${object}\t${path}`,
  );
  if (lines.length > 0)
    await git.out({ ...call, args: ['update-index', '-z', '--index-info'], stdin: joinPaths(lines) });
  return git.line({ ...call, args: ['write-tree'] });
}

export const shown = (files: readonly Differing[]): string[] => files.map(({ path }) => shownPath(path));
