/**
 * One file of a plan on its way from `before` to `after`.
 *
 * Beside it lie two files of ours, with names that follow from the plan: the fresh one holds what is to come, the
 * former one what was there. Whoever finds them after a crash knows from them alone how far it came, and can go on or
 * put everything back. A former file is removed only when the whole plan is applied.
 */
import { constants } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { writeAll } from '../../system/durable-write.js';
import type { HeldFolder } from './held-folder.js';
import { lookAtFile, type SeenFile } from './look-at-file.js';
import type { PlannedFile } from './patch-plan.js';

export type Site = { file: PlannedFile; folder: HeldFolder; name: string; fresh: string; former: string };
export type Progress = 'due' | 'done' | { refused: string };

export const CHANGED = 'has changed since the patch was shown';
/** File systems without hard links, and files that are not ours to link. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** The end of a sentence about the file. */
export class SwapProblem extends Error {}

/** How far the file is, after the marks of an interrupted attempt have been read. */
export async function progressOf(site: Site): Promise<Progress> {
  await removeOtherNames(site);
  const seen = await look(site);
  if (isAfter(site.file, seen)) return 'done';
  if (isBefore(site.file, seen)) return 'due';
  return { refused: seen.type === 'refused' ? seen.because : CHANGED };
}

export function isAfter({ after }: PlannedFile, seen: SeenFile): boolean {
  return after === null ? seen.type === 'missing' : seen.type === 'file' && seen.hash === after;
}

export function isBefore({ before }: PlannedFile, seen: SeenFile): boolean {
  return before === null ? seen.type === 'missing' : seen.type === 'file' && seen.hash === before;
}

/** Everything that needs space on the disk, before anything is changed. */
export async function prepare(site: Site): Promise<void> {
  await remove(site, site.fresh);
  await remove(site, site.former);
  const { content, mode } = site.file;
  if (content === null) return;
  const seen = await look(site);
  if (!isBefore(site.file, seen)) throw new SwapProblem(CHANGED);
  const like = seen.type === 'file' ? seen.stats : { mode, uid: undefined, gid: undefined };
  await writeNew(site.folder.at(site.fresh), Buffer.from(content), like);
}

/** The change itself: one rename or link, which happens or does not. */
export async function swap(site: Site): Promise<void> {
  const { file, folder, name, fresh, former } = site;
  const seen = await look(site);
  if (!isBefore(file, seen)) throw new SwapProblem(CHANGED);
  if (file.after === null) return rename(folder.at(name), folder.at(former));
  if (seen.type !== 'file') {
    await writeNew(folder.at(former), Buffer.alloc(0), {});
    return placeNew(folder.at(fresh), folder.at(name));
  }
  await keepFormer(site, seen);
  await rename(folder.at(fresh), folder.at(name));
}

/** As it was before the plan, as far as the former file tells; whatever is beside it goes. */
export async function putBack(site: Site): Promise<void> {
  const { file, folder, name, fresh, former } = site;
  await removeOtherNames(site);
  await remove(site, fresh);
  const kept = await lookAtFile(folder.place, former);
  if (kept.type === 'missing') return;
  if (isAfter(file, await look(site))) {
    if (file.before === null) await remove(site, name);
    else if (kept.type === 'file' && kept.hash === file.before) return rename(folder.at(former), folder.at(name));
  }
  await remove(site, former);
}

export async function forget(site: Site): Promise<void> {
  await remove(site, site.fresh);
  await remove(site, site.former);
}

function look({ folder, name }: Site): Promise<SeenFile> {
  return lookAtFile(folder.place, name);
}

function remove({ folder }: Site, name: string): Promise<void> {
  return rm(folder.at(name), { force: true });
}

/** A kill between two steps leaves the file with a second name; then nothing was replaced. */
async function removeOtherNames(site: Site): Promise<void> {
  const target = await identity(site, site.name);
  for (const name of target === undefined ? [] : [site.fresh, site.former]) {
    if ((await identity(site, name)) === target) await remove(site, name);
  }
}

async function identity({ folder }: Site, name: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(folder.at(name), { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

async function keepFormer({ folder, name, former }: Site, seen: Extract<SeenFile, { type: 'file' }>): Promise<void> {
  try {
    await link(folder.at(name), folder.at(former));
  } catch (failure) {
    if (!NO_LINKS.has((failure as NodeJS.ErrnoException).code ?? '')) throw failure;
    return writeNew(folder.at(former), seen.bytes, seen.stats);
  }
  const { dev, ino } = await lstat(folder.at(former));
  if (dev !== seen.stats.dev || ino !== seen.stats.ino) throw new SwapProblem(CHANGED);
}

/** rename() would replace what somebody put there meanwhile; link() refuses. */
async function placeNew(fresh: string, target: string): Promise<void> {
  try {
    await link(fresh, target);
    await rm(fresh);
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new SwapProblem(CHANGED);
    if (!NO_LINKS.has(code)) throw failure;
    await rename(fresh, target);
  }
}

type Like = { mode?: number | null; uid?: number | undefined; gid?: number | undefined };

async function writeNew(place: string, bytes: Uint8Array, { mode, uid, gid }: Like): Promise<void> {
  const handle = await open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode == null ? 0o666 : 0o600);
  try {
    await writeAll(handle, bytes);
    const own = await handle.stat();
    // Only root gives files away; for others the owner changes as with every editor that replaces files.
    if (uid !== undefined && gid !== undefined && (uid !== own.uid || gid !== own.gid)) {
      await handle.chown(uid, gid).catch(() => {});
    }
    if (mode != null) await handle.chmod(mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
