import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';

/** A folder that may be written below, as it was given and without links. */
export type PatchRoot = { given: string; real: string };

/** A file by the folder that it lies below; nothing below that folder is ever reached through a link. */
export type PatchPlace = { root: string; below: string; path: string };

/** The working folder comes first: what is relative is meant from there. Folders that are not there hold nothing. */
export async function patchRoots(cwd: string, roots: readonly string[]): Promise<readonly PatchRoot[]> {
  const found = await Promise.all(
    [cwd, ...roots].map(async (given) => {
      const real = path.isAbsolute(given) ? await realpath(given).catch(() => undefined) : undefined;
      return real === undefined ? [] : [{ given: path.normalize(given), real }];
    }),
  );
  return found[0]?.length ? found.flat() : [];
}

/** The place of a path that a patch or a plan names, judged by its text alone; or why it is refused. */
export function patchPlace(name: string, roots: readonly PatchRoot[]): PatchPlace | { refused: string } {
  const [cwd] = roots;
  if (!cwd) return { refused: 'lies in a working folder that is not there' };
  if (name.endsWith('/')) return { refused: 'names a folder' };
  if (!name.startsWith('/')) return placeBelow(cwd.real, name);
  const found = roots
    .flatMap(({ given, real }) => [given, real].map((prefix) => ({ prefix: withSlash(prefix), real })))
    .filter(({ prefix }) => name.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)[0];
  if (!found) return { refused: `lies outside of ${cwd.given}` };
  return placeBelow(found.real, name.slice(found.prefix.length));
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
