import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';

/** A file by the folder that it lies below; nothing below that folder is ever reached through a link. */
export type PatchPlace = { root: string; below: string; path: string };

/**
 * Folders that may be written below. The working folder comes first: what is relative is meant from there. Those that
 * are not there hold nothing, and neither do those behind a link: it may have been put there since they were named.
 */
export async function patchRoots(cwd: string, roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [cwd, ...roots].map(async (root) => ((await realpath(root).catch(() => undefined)) === root ? [root] : [])),
  );
  return found[0]?.length ? found.flat() : [];
}

/** The place of a path that a patch or a plan names, judged by its text alone; or why it is refused. */
export function patchPlace(name: string, roots: readonly string[]): PatchPlace | { refused: string } {
  const [cwd] = roots;
  if (!cwd) return { refused: 'lies in a working folder that is not there, or is reached through a link' };
  if (name.endsWith('/')) return { refused: 'names a folder' };
  if (!name.startsWith('/')) return placeBelow(cwd, name);
  const [root] = roots.filter((one) => name.startsWith(withSlash(one))).sort((one, other) => other.length - one.length);
  if (root === undefined) return { refused: `lies outside of ${cwd}` };
  return placeBelow(root, name.slice(withSlash(root).length));
}

function placeBelow(root: string, name: string): PatchPlace | { refused: string } {
  const because = pathProblem(name);
  if (because !== undefined) return { refused: because };
  const below = name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return below === '' ? { refused: 'names a folder' } : { root, below, path: path.join(root, below) };
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}
