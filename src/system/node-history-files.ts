import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FoundHistory, HistoryFiles } from '../engine/projections/history-files.js';
import {
  CLOSING_BYTES_MAX,
  endText,
  lineText,
  readClosing,
  sealText,
  tailIn,
} from '../engine/projections/history-format.js';
import { syncFolder, writeAll, writeDurably } from './durable-write.js';

const CHUNK = 1 << 20;
/** A head is a few names; what has more before its first line is none. */
const OPENING_BYTES_MAX = 64 * 1024;
const MODE = 0o600;

/** `stamp` tells whether the file is still the one that was looked at; `body` has seen all bytes before the closing. */
type Known = { found: FoundHistory; body: Hash; stamp: string };

/** Each process that writes histories has one. */
export class NodeHistoryFiles implements HistoryFiles {
  private readonly known = new Map<string, Known>();

  async examine(file: string): Promise<FoundHistory | undefined> {
    this.known.delete(file);
    await removeLeftovers(file);
    const read = await readThrough(file);
    if (read) this.known.set(file, read);
    return read?.found;
  }

  async isKept(file: string): Promise<boolean> {
    const known = this.known.get(file);
    return known !== undefined && known.stamp === (await stampOf(file));
  }

  async begin(file: string, opening: string, tail: string, first: number): Promise<FoundHistory> {
    this.known.delete(file);
    const body = createHash('sha256').update(opening);
    const { closing, end } = close(body, tail, { first, count: 0, at: Buffer.byteLength(opening) });
    await writeDurably(file, opening + closing, { mode: MODE });
    return this.remember(file, body, { ...end, opening, tail });
  }

  async extend(file: string, lines: AsyncIterable<string>, tail: string): Promise<FoundHistory> {
    const known = this.known.get(file);
    if (!known || !(await this.isKept(file))) throw new Error(`${file} was changed by somebody else`);
    const { first, opening } = known.found;
    const temporary = temporaryName(file);
    const body = known.body.copy();
    let { count, at } = known.found;
    let written: FoundHistory;
    try {
      await copyFile(file, temporary, constants.COPYFILE_FICLONE);
      const handle = await open(temporary, 'a');
      try {
        await handle.truncate(at);
        for await (const line of lines) {
          const text = Buffer.from(lineText(line, count));
          body.update(text);
          await writeAll(handle, text);
          at += text.length;
          count += 1;
        }
        const closed = close(body, tail, { first, count, at });
        await writeAll(handle, Buffer.from(closed.closing));
        await handle.sync();
        written = { ...closed.end, opening, tail };
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(path.dirname(file));
    return this.remember(file, body, written);
  }

  async pack(file: string, part: string): Promise<{ bytes: number; sha256: string }> {
    const temporary = temporaryName(part);
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      await pipeline(
        createReadStream(file),
        createGzip(),
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        },
        createWriteStream(temporary, { flags: 'wx', mode: MODE, flush: true }),
      );
      await rename(temporary, part);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(path.dirname(part));
    return { bytes, sha256: hash.digest('hex') };
  }

  async size(file: string): Promise<number | undefined> {
    const found = await lstat(file).catch(unlessMissing);
    return found?.isFile() ? found.size : undefined;
  }

  forget(file: string): void {
    this.known.delete(file);
  }

  private async remember(file: string, body: Hash, found: FoundHistory): Promise<FoundHistory> {
    const stamp = await stampOf(file);
    if (stamp !== undefined) this.known.set(file, { found, body, stamp });
    return found;
  }
}

function close(body: Hash, tail: string, end: Pick<FoundHistory, 'first' | 'count' | 'at'>) {
  const covered = tail + endText(end);
  const closing = covered + sealText(body.copy().update(covered).digest('hex'));
  return { closing, end: { ...end, bytes: end.at + Buffer.byteLength(closing) } };
}

async function readThrough(file: string): Promise<Known | undefined> {
  const stamp = await stampOf(file);
  if (stamp === undefined) return undefined;
  const handle = await open(file, 'r').catch(unlessMissing);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const last = await readAt(handle, Math.max(0, size - CLOSING_BYTES_MAX), CLOSING_BYTES_MAX);
    const closing = readClosing(last.toString('latin1'));
    if (!closing || closing.at + closing.sealBytes > size) return undefined;
    const { first, count, at, sha256, sealBytes } = closing;
    const body = createHash('sha256');
    for (let from = 0; from < at; from += CHUNK) body.update(await readAt(handle, from, Math.min(CHUNK, at - from)));
    const covered = await readAt(handle, at, size - sealBytes - at);
    if (body.copy().update(covered).digest('hex') !== sha256) return undefined;
    const opening = (await readAt(handle, 0, Math.min(at, OPENING_BYTES_MAX))).toString('utf8').split('\n', 1)[0] ?? '';
    const found: FoundHistory = { first, count, at, bytes: size, opening, tail: tailIn(covered.toString('utf8')) };
    return { found, body, stamp };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}

async function stampOf(file: string): Promise<string | undefined> {
  const found = await lstat(file, { bigint: true }).catch(unlessMissing);
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeNs}` : undefined;
}

function temporaryName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
}

/** A writer that was killed leaves its copy behind, and a copy may be large. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file);
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  const ours = names.filter((name) => name.startsWith(`.${path.basename(file, '.json')}.`) && name.endsWith('.tmp'));
  for (const name of ours) await rm(path.join(folder, name), { force: true });
}

function unlessMissing(failure: unknown): undefined {
  if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw failure;
}
