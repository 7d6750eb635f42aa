import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

type WriteOptions = {
  mode: number;
  /** Fail with EEXIST instead of replacing what is there. */
  exclusive?: boolean;
};

/** Readers see the old file or the whole new one. A link at `file` is replaced, never followed. */
export async function writeAtomically(file: string, text: string, { mode, exclusive }: WriteOptions): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.appendFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (exclusive) await moveExclusively(temporary, file);
    else await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
}

/** rename() would replace; link() refuses when somebody was faster. Where there are no links, the name is taken first. */
async function moveExclusively(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw failure;
    await (await open(to, 'wx')).close();
    await rename(from, to);
  }
}

/** Without this the new name may be lost by a power cut although the bytes are on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
