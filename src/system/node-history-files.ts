import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, type FileHandle, lstat, mkdir, open, readdir, rename, rm, truncate } from 'node:fs/promises';
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
import { syncFolder, writeAll } from './durable-write.js';

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

  async begin(
    file: string,
    { opening, first }: Pick<FoundHistory, 'opening' | 'first'>,
    lines: AsyncIterable<string>,
    tail: string,
  ): Promise<FoundHistory> {
    this.known.delete(file);
    const made = await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const from = { first, count: 0, at: Buffer.byteLength(opening), opening };
    const begun = { found: from, body: createHash('sha256').update(opening) };
    const written = await grow(file, begun, lines, tail, async (temporary) => {
      const writer = new ChunkWriter(await open(temporary, 'wx', MODE));
      await writer.add(Buffer.from(opening));
      return writer;
    });
    if (made !== undefined) await syncFolder(path.dirname(made));
    return this.remember(file, written);
  }

  async extend(file: string, lines: AsyncIterable<string>, tail: string): Promise<FoundHistory> {
    const known = this.known.get(file);
    if (!known || !(await this.isKept(file))) throw new Error(`${file} was changed by somebody else`);
    const written = await grow(file, known, lines, tail, async (temporary) => {
      await copyFile(file, temporary, constants.COPYFILE_FICLONE);
      await truncate(temporary, known.found.at);
      return new ChunkWriter(await open(temporary, 'a'));
    });
    return this.remember(file, written);
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

  private async remember(file: string, { found, body }: Omit<Known, 'stamp'>): Promise<FoundHistory> {
    const stamp = await stampOf(file);
    if (stamp !== undefined) this.known.set(file, { found, body, stamp });
    return found;
  }
}

type Beginning = { found: Pick<FoundHistory, 'first' | 'count' | 'at' | 'opening'>; body: Hash };

/** Many lines are one write. */
class ChunkWriter {
  readonly handle: FileHandle;
  private chunks: Buffer[] = [];
  private bytes = 0;

  constructor(handle: FileHandle) {
    this.handle = handle;
  }

  async add(text: Buffer): Promise<void> {
    this.chunks.push(text);
    this.bytes += text.length;
    if (this.bytes >= CHUNK) await this.flush();
  }

  async flush(): Promise<void> {
    const all = Buffer.concat(this.chunks);
    this.chunks = [];
    this.bytes = 0;
    await writeAll(this.handle, all);
  }
}

/** `lay` makes a file that has, or gets first, all that is to stay before `at`; behind it come the lines and the tail. */
async function grow(
  file: string,
  { found, body: before }: Beginning,
  lines: AsyncIterable<string>,
  tail: string,
  lay: (temporary: string) => Promise<ChunkWriter>,
): Promise<Omit<Known, 'stamp'>> {
  const { first, opening } = found;
  const temporary = temporaryName(file);
  const body = before.copy();
  let { count, at } = found;
  let written: FoundHistory;
  let isThere = true;
  try {
    const writer = await lay(temporary);
    const { handle } = writer;
    try {
      for await (const line of lines) {
        const text = Buffer.from(lineText(line, count));
        body.update(text);
        await writer.add(text);
        at += text.length;
        count += 1;
      }
      const closed = close(body, tail, { first, count, at });
      await writer.add(Buffer.from(closed.closing));
      await writer.flush();
      await handle.sync();
      written = { ...closed.end, opening, tail };
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    isThere = false;
  } finally {
    if (isThere) await rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
  return { found: written, body };
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
