/**
 * Brings everything in a workspace into Baton's index. The folder was an agent's, so nothing in it is believed:
 *
 * W1. Git is given its directory, folder and index; a `.git` in the workspace, whatever it is, is passed over.
 * W2. No submodule is ever looked into (index-entries.ts).
 * W3. A repository inside the workspace is taken as plain files, so that no work is lost and no entry for a submodule
 *     is made by an agent.
 * W4. A file that cannot be kept is told as a warning; it never keeps the rest from being kept.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { type Git, type GitEnd, joinPaths, shownPath, splitPaths } from './git.js';
import {
  at,
  type IndexEntry,
  indexEntries,
  isSubmodule,
  markSkipped,
  type Place,
  skipSubmodules,
} from './index-entries.js';

const NESTED_ROUNDS_MAX = 16;
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const WARNINGS_MAX = 20;
/** Each name is compared with each file of the index. */
const NAMED_MAX = 100;
const EMPTY_BLOB = {
  sha1: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  sha256: '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
};
/** Never written to the disk. */
const PLACEHOLDER = '.baton-placeholder';

export async function stageAll(git: Git, place: Place, format: 'sha1' | 'sha256'): Promise<string[]> {
  const entries = await indexEntries(git, place);
  await skipSubmodules(git, place, entries);
  // Outside of the paths that were checked out a file may have been written all the same.
  const written = entries.filter((entry) => entry.skipped && !isSubmodule(entry) && sizeOf(place, entry.path) !== null);
  await markSkipped(
    git,
    place,
    written.map(({ path }) => path),
    false,
  );

  const { untracked, changed, nested } = await listChanges(git, place, format);
  const isLarge = (path: string): boolean => (sizeOf(place, path) ?? 0) > FILE_BYTES_MAX;
  const large = { untracked: untracked.filter(isLarge), tracked: changed.filter(isLarge) };
  await markSkipped(git, place, large.tracked, true);

  const hidden = [...large.untracked, ...large.tracked];
  const all = [...untracked, ...changed];
  const named = !nested && hidden.length === 0 && all.length <= NAMED_MAX ? await addNamed(git, place, all) : null;
  const { code, said } = named ?? (await git.run(at(place, addAllBut(large.untracked))));
  if (code > 1) throw new Error(`git add failed (${code}): ${said.slice(-2_000)}`);
  return [
    ...submoduleWarnings(place, entries),
    ...hidden.map((path) => `not kept, it is larger than 1 GiB: ${shownPath(path)}`),
    ...(code === 1 ? unreadable(said) : []),
  ].slice(0, WARNINGS_MAX);
}

type Added = Pick<GitEnd, 'code' | 'said'>;

/**
 * Otherwise git looks at every file of the folder once more. Null when it did not work out, as with names behind a link
 * that has taken the place of their folder.
 */
async function addNamed(git: Git, place: Place, paths: readonly string[]): Promise<Added | null> {
  if (paths.length === 0) return { code: 0, said: '' };
  const args = ['add', '-A', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const added = await git.run(at(place, args, { stdin: joinPaths(paths), literal: true }));
  return added.code > 1 ? null : added;
}

function addAllBut(hidden: readonly string[]): string[] {
  // As a pattern of an ignore file, not as an argument: thousands of names are no hindrance.
  const patterns = hidden.map((path) => `:(exclude,literal,top)${shownPath(path)}`);
  return ['add', '-A', '--ignore-errors', ...(patterns.length > 0 ? ['--', ':/', ...patterns] : [])];
}

type Changes = {
  untracked: string[];
  /** Also those that are gone. */
  changed: string[];
  /** There was a repository inside. */
  nested: boolean;
};

/**
 * What differs from the index. Git does not look behind the `.git` of a nested repository unless it knows a file there
 * already. An entry of a file that does not exist makes it look, and is gone with the next `git add`.
 */
async function listChanges(git: Git, place: Place, format: 'sha1' | 'sha256'): Promise<Changes> {
  for (let round = 0; ; round++) {
    const args = ['ls-files', '-t', '-o', '-m', '-z', '--exclude-standard'];
    const lines = splitPaths(await git.out(at(place, args)));
    const tagged = (tag: string) => lines.flatMap((line) => (line.startsWith(tag) ? [line.slice(tag.length)] : []));
    const [untracked, changed] = [tagged('? '), tagged('C ')];
    const nested = untracked.filter((path) => path.endsWith('/'));
    if (nested.length === 0 || round === NESTED_ROUNDS_MAX) return { untracked, changed, nested: round > 0 };
    const entries = nested.map((path) => `100644 ${EMPTY_BLOB[format]} 0\t${path}${PLACEHOLDER}`);
    await git.out(at(place, ['update-index', '-z', '--index-info'], { stdin: joinPaths(entries) }));
  }
}

function unreadable(said: string): string[] {
  return said
    .split('\n')
    .filter((line) => line.startsWith('error: '))
    .map((line) => `not kept: ${line.slice('error: '.length)}`);
}

function submoduleWarnings({ tree }: Place, entries: readonly IndexEntry[]): string[] {
  return entries.filter(isSubmodule).flatMap(({ path }) => {
    try {
      const files = readdirSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')]));
      return files.length > 0 ? [`not kept, it is a submodule: ${shownPath(path)}`] : [];
    } catch {
      return []; // not there, or no folder
    }
  });
}

function sizeOf({ tree }: Place, path: string): number | null {
  const file = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')]);
  try {
    return lstatSync(file).size;
  } catch {
    return null;
  }
}
