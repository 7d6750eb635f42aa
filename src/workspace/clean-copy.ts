import { constants, copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './deed.js';
import { type Git, shownPath, splitPaths } from './git.js';
import { at, type Place } from './index-entries.js';
import { removeFolder } from './remove-folder.js';

const LINKED_MAX = 1_000;

/** Checks a tree out into a folder of its own, from nothing. */
export async function checkOutTree(
  git: Git,
  place: Place & { index: string },
  tree: string,
  sparse: boolean,
): Promise<void> {
  removeFolder(place.tree);
  mkdirSync(place.tree, { recursive: true, mode: 0o700 });
  for (const file of [place.index, `${place.index}.lock`]) rmSync(file, { force: true });
  const settings = { 'core.sparseCheckout': String(sparse) };
  await git.out(at(place, ['read-tree', '-m', '-u', tree], { settings }));
}

/**
 * Commands need what is not in git: installed packages, local settings. Folders that git ignores are linked into the
 * copy and files are copied, unless they are protected. What the agent may have done to them is the agent's: whoever
 * does not trust it lets the first check install afresh.
 */
export async function linkIgnored({ git, folder }: Deed, copy: string, protect: readonly string[]): Promise<void> {
  if (!existsSync(folder.workspace)) return;
  const place: Place = { dir: folder.git, tree: folder.workspace };
  const listing = ['ls-files', '-o', '-i', '-z', '--exclude-standard', '--directory', '--no-empty-directory'];
  const ignored = splitPaths(await git.out(at(place, listing))).map(shownPath);
  const kept = protect.length === 0 ? new Set<string>() : await matching(git, place, protect);
  for (const entry of ignored.filter((one) => !kept.has(one)).slice(0, LINKED_MAX)) {
    const name = entry.replace(/\/$/, '');
    const [from, to] = [path.join(folder.workspace, name), path.join(copy, name)];
    if (lstatSync(to, { throwIfNoEntry: false }) || !isRealFolder(copy, path.dirname(name))) continue;
    if (lstatSync(from, { throwIfNoEntry: false })?.isFile()) copyFileSync(from, to, constants.COPYFILE_FICLONE);
    else symlinkSync(from, to);
  }
}

async function matching(git: Git, place: Place, protect: readonly string[]): Promise<Set<string>> {
  const patterns = protect.map((pattern) => `:(top,glob)${pattern.replace(/^\/+/, '')}`);
  const listing = ['ls-files', '-o', '-i', '-z', '--exclude-standard', '--directory', '--', ...patterns];
  return new Set(splitPaths(await git.out(at(place, listing))).map(shownPath));
}

/** No link on the way: the tree is an agent's. */
function isRealFolder(copy: string, folder: string): boolean {
  const names = folder === '.' ? [] : folder.split('/');
  return names.every((_, depth) =>
    lstatSync(path.join(copy, ...names.slice(0, depth + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}
