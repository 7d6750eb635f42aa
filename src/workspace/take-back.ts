/**
 * Takes back what a landing that was cut off did to a user's tree: every file that differs between the two commits
 * becomes again as the first one has it, and so does its entry in the index. A file that is neither as one of the
 * commits has it nor half written is somebody else's work: then nothing is touched.
 */
import { copyFileSync, lstatSync, readFileSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { BegunMove } from './begun-move.js';
import type { Deed } from './deed.js';
import { joinPaths, shownPath } from './git.js';
import type { IndexLock } from './index-lock.js';
import { asUser } from './user-settings.js';

const GITLINK = '160000';
const ABSENT = '000000';

type Side = { mode: string; object: string };
/** Path as Latin-1. */
type Moved = { path: string; from: Side; to: Side };

/** Files that were changed by somebody else; none when it was taken back. */
export async function takeBack(deed: Deed, { tree, from, to }: BegunMove, lock: IndexLock): Promise<string[]> {
  const moved = await movedFiles(deed, tree, from, to);
  const changed: string[] = [];
  const written: string[] = [];
  for (const one of moved) {
    const found = await look(deed, tree, one);
    if (found === 'changed') changed.push(shownPath(one.path));
    if (found === 'written') written.push(one.path);
  }
  if (changed.length > 0) return changed;
  // First, for the disk may be full of it.
  for (const file of written) removeFile(tree, file);

  const call = { cwd: tree, index: lock.next, ...asUser(deed) };
  copyFileSync(lock.index, lock.next);
  const lines = moved.map(({ path: file, from: { mode, object } }) =>
    mode === ABSENT ? `0 ${object}\t${file}` : `${mode} ${object}\t${file}`,
  );
  await deed.git.out({ ...call, args: ['update-index', '-z', '--index-info'], stdin: joinPaths(lines) });
  const restored = moved.filter(({ from: { mode } }) => mode !== ABSENT && mode !== GITLINK);
  const names = joinPaths(restored.map((one) => one.path));
  await deed.git.out({ ...call, args: ['checkout-index', '-f', '-u', '-z', '--stdin'], stdin: names });
  lock.replace();
  return [];
}

async function movedFiles({ git }: Deed, tree: string, from: string, to: string): Promise<Moved[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to];
  const fields = (await git.out({ args, cwd: tree })).toString('latin1').split('\0');
  const moved: Moved[] = [];
  for (let next = 0; next + 1 < fields.length; next += 2) {
    const [before = '', after = '', old = '', now = ''] = (fields[next] ?? '').slice(1).split(' ');
    const [fromSide, toSide] = [
      { mode: before, object: old },
      { mode: after, object: now },
    ];
    moved.push({ path: fields[next + 1] ?? '', from: fromSide, to: toSide });
  }
  return moved;
}

type Found = 'as before' | 'written' | 'changed';

async function look(deed: Deed, tree: string, { path: file, from, to }: Moved): Promise<Found> {
  const whole = onDisk(tree, file);
  const there = lstatSync(whole, { throwIfNoEntry: false });
  // A folder in its place is never removed with what is in it.
  if (!there || there.isDirectory() || from.mode === GITLINK || to.mode === GITLINK) return 'as before';
  const isLink = there.isSymbolicLink();
  if (!isLink && !there.isFile()) return 'changed';
  const content = isLink ? readlinkSync(whole, 'buffer') : readFileSync(whole);
  const object = isLink ? '' : await objectOf(deed, tree, file);
  const matches = async (side: Side): Promise<boolean> => {
    if (side.mode === ABSENT) return false;
    if (object === side.object) return true;
    const blob = await blobOf(deed, tree, side);
    // One that was being written is a beginning.
    return isLink ? blob.equals(content) : blob.subarray(0, content.length).equals(content);
  };
  if (object === from.object) return 'as before';
  return (await matches(to)) || (await matches(from)) ? 'written' : 'changed';
}

/** As git would store it, with the line endings and filters of the user. */
function objectOf(deed: Deed, tree: string, file: string): Promise<string> {
  const stdin = Buffer.from(`${quoted(file)}\n`, 'latin1');
  return deed.git.line({ args: ['hash-object', '--stdin-paths'], cwd: tree, ...asUser(deed), stdin });
}

function blobOf({ git }: Deed, tree: string, { object }: Side): Promise<Buffer> {
  return git.out({ args: ['cat-file', 'blob', object], cwd: tree });
}

/** And the folders that are empty then. */
function removeFile(tree: string, file: string): void {
  const there = lstatSync(onDisk(tree, file), { throwIfNoEntry: false });
  if (there && !there.isDirectory()) unlinkSync(onDisk(tree, file));
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
    try {
      rmdirSync(onDisk(tree, folder));
    } catch {
      return; // something else is in it, or it was never made
    }
  }
}

function onDisk(tree: string, file: string): Buffer {
  return Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(file, 'latin1')]);
}

/** As git reads names that hold line breaks. */
function quoted(file: string): string {
  const octal = (unit: string): string => `\\${unit.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${file.replace(/[^A-Za-z0-9/._-]/g, octal)}"`;
}
