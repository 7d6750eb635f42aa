import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

type WriteOptions = {
  mode: number;
  /** Fail with EEXIST instead of replacing what is there. */
  exclusive?: boolean;
};

/** Readers see the old file or the whole new one, and it stays after a power cut. A link at `file` is replaced. */
export async function writeDurably(
  file: string,
  content: string | Uint8Array,
  { mode, exclusive = false }: WriteOptions,
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  const { handle, made } = await openIn(folder, temporary, mode);
  let isThere = true;
  try {
    try {
      await writeAll(handle, Buffer.from(content));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (exclusive) await link(temporary, file);
    else {
      await rename(temporary, file);
      isThere = false;
    }
  } finally {
    if (isThere) await rm(temporary, { force: true });
  }
  await syncFolder(folder);
  if (made !== undefined) await syncFolder(path.dirname(made));
}

/** The folder is mostly there; `made` is the first one that had to be made. */
async function openIn(folder: string, file: string, mode: number): Promise<{ handle: FileHandle; made?: string }> {
  try {
    return { handle: await open(file, 'wx', mode) };
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
  }
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  return { handle: await open(file, 'wx', mode), ...(made !== undefined && { made }) };
}

/** A nearly full disk, a quota or a signal makes a write shorter than what it was given. */
export async function writeAll(handle: Pick<FileHandle, 'write'>, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error('the file takes no more bytes'), { code: 'ENOSPC' });
    written += bytesWritten;
  }
}

const due = new Map<string, Promise<void>>();

/** Whoever asks before it has begun shares it: several files of one folder are often replaced at the same moment. */
export function syncFolder(folder: string): Promise<void> {
  const shared = due.get(folder);
  if (shared) return shared;
  const sync = nextTurn().then(() => {
    due.delete(folder);
    return syncNow(folder);
  });
  due.set(folder, sync);
  return sync;
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
