import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';

/** Whether something may be made here: nothing is there, or an empty folder. */
export function isFree(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return !stats || (stats.isDirectory() && readdirSync(folder).length === 0);
}

/**
 * Makes a folder whole or not at all: it is filled under another name beside its place and then moved there. `fill`
 * may refuse by throwing; `replaces` says that what is there now may go.
 */
export async function makeFolder<T>(
  folder: string,
  fill: (staging: string) => Promise<T>,
  { replaces = false }: { replaces?: boolean } = {},
): Promise<T> {
  const beside = (what: string) =>
    path.join(path.dirname(folder), `.${path.basename(folder)}.${what}-${randomBytes(6).toString('hex')}`);
  const staging = beside('new');
  const earlier = beside('old');
  try {
    await unlessUnwritable(folder, () => mkdir(staging, { recursive: true }));
    const result = await unlessUnwritable(folder, () => fill(staging));
    await unlessUnwritable(folder, () => (replaces ? exchange(staging, folder, earlier) : rename(staging, folder)));
    return result;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function exchange(staging: string, folder: string, earlier: string): Promise<void> {
  await rename(folder, earlier);
  try {
    await rename(staging, folder);
  } catch (failure) {
    await rename(earlier, folder);
    throw failure;
  }
  await rm(earlier, { recursive: true, force: true });
}

async function unlessUnwritable<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (failure) {
    const { code, syscall } = failure as NodeJS.ErrnoException;
    if (syscall === undefined) throw failure;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw inUse(folder, 'came to be there meanwhile');
    throw new BatonError('FILE_UNWRITABLE', `${folder} cannot be made (${code})`, { file: folder });
  }
}

export function inUse(folder: string, why: string): BatonError {
  return new BatonError('FOLDER_IN_USE', `${folder} ${why}`, { folder });
}
