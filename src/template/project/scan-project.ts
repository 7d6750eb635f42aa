import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatonError } from '../../contracts/shared/errors.js';
import { roleOf } from './file-role.js';
import { gitPaths } from './git-paths.js';
import { languageOf } from './languages.js';
import { isSecretBearing, leftOutByName } from './left-out.js';
import type { Project, ProjectFile, Skipped } from './project.js';
import { walkPaths } from './walk-paths.js';

export type ScanLimits = {
  /** Files of the result. */
  filesMax: number;
  /** Of one file; what is larger is data. */
  bytesMax: number;
  /** Names that are listed at all, before any is looked at. */
  namesMax: number;
};

const LIMITS: ScanLimits = { filesMax: 100_000, bytesMax: 1024 * 1024, namesMax: 400_000 };
const SECRET_NAMES_MAX = 1_000;
const HEAD_BYTES = 8 * 1024;
/** Looking at files is not asynchronous, since that is several times slower; between slices others have their turn. */
const SLICE = 256;

/** What lies in a folder, by the project's own list where git has one. Reads at most the head of each file. */
export async function scanProject(root: string, limits: Partial<ScanLimits> = {}): Promise<Project> {
  const { filesMax, bytesMax, namesMax } = { ...LIMITS, ...limits };
  const folder = path.resolve(root);
  const real = realFolder(folder);
  const skipped: Skipped = { vendored: 0, ignored: 0, binary: 0, large: 0, unreadable: 0 };
  const { names, secretNames, more } = await listNames(real, skipped, namesMax);
  const look = createLook(real, skipped, bytesMax);
  const files: ProjectFile[] = [];
  let truncated = more;
  for (const [index, name] of names.entries()) {
    if (files.length >= filesMax) {
      truncated = true;
      break;
    }
    const file = look(name);
    if (file) files.push(file);
    if (index % SLICE === SLICE - 1) await nextTurn();
  }
  return { root: folder, name: path.basename(folder) || 'project', files, skipped, secretNames, truncated };
}

function realFolder(folder: string): string {
  try {
    if (!statSync(folder).isDirectory()) throw unreadable(folder, 'is not a folder');
    readdirSync(folder);
    return realpathSync(folder);
  } catch (failure) {
    if (failure instanceof BatonError) throw failure;
    const { code } = failure as NodeJS.ErrnoException;
    throw unreadable(folder, code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`);
  }
}

function unreadable(folder: string, why: string): BatonError {
  return new BatonError('INPUT_UNREADABLE', `the project folder ${JSON.stringify(folder)} ${why}`, { file: folder });
}

/** In the order of their names, each once: git names a file in conflict several times. */
async function listNames(
  root: string,
  skipped: Skipped,
  namesMax: number,
): Promise<{ names: readonly string[]; secretNames: readonly string[]; more: boolean }> {
  const names = new Set<string>();
  const secretNames = new Set<string>();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let listed = 0;
  const sink = (bytes: Buffer): boolean => {
    listed += 1;
    const name = decoded(decoder, bytes);
    const why = name === undefined ? 'unreadable' : leftOutByName(name);
    if (why === 'ignored' && name !== undefined && isSecretBearing(name) && secretNames.size < SECRET_NAMES_MAX) {
      secretNames.add(name);
    }
    if (why !== undefined) skipped[why] += 1;
    else if (name !== undefined) names.add(name);
    return names.size <= namesMax;
  };
  const known = await gitPaths(root, sink);
  // Git lists nothing inside a folder that a repository around it ignores.
  if (!known || listed === 0) {
    names.clear();
    secretNames.clear();
    for (const why of Object.keys(skipped) as (keyof Skipped)[]) skipped[why] = 0;
    await walkPaths(root, sink, skipped);
  }
  const sorted = [...names].sort();
  return { names: sorted.slice(0, namesMax), secretNames: [...secretNames], more: sorted.length > namesMax };
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

type Look = (name: string) => ProjectFile | undefined;

function createLook(root: string, skipped: Skipped, bytesMax: number): Look {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  const isPlainFolder = createFolderCheck(root);
  return (name) => {
    const full = path.join(root, name);
    const why = isPlainFolder(path.dirname(full)) ? undefined : 'ignored';
    const stats = why ?? statsOf(full);
    if (stats === undefined) return undefined; // Tracked, but deleted.
    const reason = typeof stats === 'string' ? stats : unfit(full, stats, head, bytesMax);
    if (reason !== undefined) {
      skipped[reason] += 1;
      return undefined;
    }
    const language = languageOf(name);
    return { path: name, bytes: (stats as Stats).size, language, role: roleOf(name, language) };
  };
}

function unfit(full: string, stats: Stats, head: Buffer, bytesMax: number): keyof Skipped | undefined {
  if (!stats.isFile()) return 'ignored';
  if (stats.size > bytesMax) return 'large';
  if (stats.size === 0) return undefined;
  try {
    return holdsNul(full, head) ? 'binary' : undefined;
  } catch {
    return 'unreadable';
  }
}

function statsOf(full: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
}

function holdsNul(full: string, head: Buffer): boolean {
  const file = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return head.subarray(0, readSync(file, head, 0, head.length, 0)).includes(0);
  } finally {
    closeSync(file);
  }
}

/** A list made by git may name files below a folder that has become a link since: it could lead anywhere. */
function createFolderCheck(root: string): (folder: string) => boolean {
  const known = new Map<string, boolean>([[root, true]]);
  const check = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const plain = check(path.dirname(folder)) && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(folder, plain);
    return plain;
  };
  return check;
}
