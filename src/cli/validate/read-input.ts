import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Io } from '../io.js';

const CHUNK_BYTES = 256 * 1024;
/** A pipe that says nothing for this long is given up, so that a check in CI never hangs. */
const SILENCE_MS_MAX = 30_000;

/** Bytes of a file or of standard input (`-`), chunk by chunk; the reader stops asking when it has seen too many. */
export function readInput(file: string, io: Io): AsyncIterable<Uint8Array> {
  return file === '-' ? withinSilence(io.stdin(), io) : readFileChunks(file, io);
}

async function* readFileChunks(file: string, io: Io): AsyncIterable<Uint8Array> {
  let descriptor: number;
  try {
    // Without O_NONBLOCK a named pipe that nobody writes to would hang the open itself.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (failure) {
    throw unreadable(file, reasonOf(failure));
  }
  const kind = fstatSync(descriptor);
  if (kind.isFIFO()) {
    yield* readPipe(descriptor, io);
    return;
  }
  try {
    if (!kind.isFile()) throw unreadable(file, 'not a regular file');
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(kind.size + 1, 1024)));
      const bytes = readSync(descriptor, chunk, 0, chunk.length, null);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
    }
  } catch (failure) {
    throw failure instanceof BatonError ? failure : unreadable(file, reasonOf(failure));
  } finally {
    closeSync(descriptor);
  }
}

/** A pipe that nobody has open for writing ends at the first read; waiting for it to become readable never would. */
async function* readPipe(descriptor: number, io: Io): AsyncIterable<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  try {
    bytes = readSync(descriptor, chunk, 0, chunk.length, null);
    if (bytes === 0) {
      closeSync(descriptor);
      return;
    }
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EAGAIN') throw failure;
  }
  if (bytes > 0) yield chunk.subarray(0, bytes);
  const { Socket } = await import('node:net');
  yield* withinSilence(new Socket({ fd: descriptor, readable: true, writable: false }), io);
}

async function* withinSilence(chunks: AsyncIterable<Uint8Array>, io: Io): AsyncIterable<Uint8Array> {
  const silenceMs = Number(io.env.BATON_INPUT_SILENCE_MS ?? SILENCE_MS_MAX);
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new BatonError('INPUT_TIMEOUT', `the input said nothing for ${silenceMs} ms`, { silence_ms: silenceMs }),
        );
      }, silenceMs);
    });
    try {
      const next = await Promise.race([iterator.next(), silence]);
      if (next.done) return;
      yield next.value;
    } catch (failure) {
      // An open stream would keep the process alive for as long as the silence lasts.
      (chunks as { destroy?: () => void }).destroy?.();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }
}

function unreadable(file: string, because: string): BatonError {
  return new BatonError('INPUT_UNREADABLE', `${file} cannot be read: ${because}`, { file });
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENXIO: 'not a regular file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many links',
};

function reasonOf(failure: unknown): string {
  const { code = 'unknown error' } = failure as NodeJS.ErrnoException;
  return REASONS[code] ?? code;
}
