import { realpath } from 'node:fs/promises';
import { pathProblem } from '../contracts/shared/relative-path.js';
import { openInside } from '../sandbox/open-inside.js';
import { lookInside } from './files/look-inside.js';

export type MissingLocation = { location: string; because: string };

const LOCATIONS_MAX = 1_000;
const LINE_BREAK = 0x0a;
const CHUNK_BYTES = 256 * 1024;
const ELSEWHERE = /^https?:\/\//i;
/** `path`, `path:line`, `path:from-to`. */
const LOCATION = /^(.*?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/s;

/** Which of the cited places are not there, and why. Addresses of the web are left alone; each file is read once. */
export async function missingLocations(
  folder: string,
  locations: readonly string[],
  signal?: AbortSignal,
): Promise<MissingLocation[]> {
  const root = await realpath(folder).catch(() => folder); // where it is gone, nothing is there
  const found = new Map<string, Promise<Found>>();
  const missing: MissingLocation[] = [];
  const named = [...new Set(locations)].filter((location) => !ELSEWHERE.test(location));
  for (const [index, location] of named.entries()) {
    signal?.throwIfAborted();
    if (index >= LOCATIONS_MAX) {
      missing.push({ location, because: `is not looked up: only ${LOCATIONS_MAX} places are` });
      continue;
    }
    const [, path = '', from, to = from] = LOCATION.exec(location) ?? [];
    const there = found.get(path) ?? findFile(root, path, signal);
    found.set(path, there);
    const because = problemOf(await there, Number(from ?? 0), Number(to ?? 0), from !== undefined);
    if (because !== undefined) missing.push({ location, because });
  }
  return missing;
}

type Found = { lines: number } | 'folder' | { because: string };

function problemOf(there: Found, from: number, to: number, hasLine: boolean): string | undefined {
  if (typeof there === 'object' && 'because' in there) return there.because;
  if (!hasLine) return undefined;
  if (there === 'folder') return 'is a folder and has no lines';
  if (from < 1 || to < from) return 'names lines that cannot be';
  return to > there.lines ? `has only ${there.lines} lines` : undefined;
}

async function findFile(root: string, path: string, signal: AbortSignal | undefined): Promise<Found> {
  const problem = pathProblem(path);
  if (problem !== undefined) return { because: `is refused: the path ${problem}` };
  const opened = await openInside(root, path);
  if (opened.type === 'refused') return { because: `is refused: the path ${opened.because}` };
  if (opened.type === 'missing') {
    return (await lookInside(root, path)) === 'folder' ? 'folder' : { because: 'there is no such file' };
  }
  const { handle } = opened;
  try {
    return { lines: await countLines(handle, signal) };
  } finally {
    await handle.close();
  }
}

async function countLines(
  handle: { read(buffer: Buffer, offset: number, length: number, position: null): Promise<{ bytesRead: number }> },
  signal: AbortSignal | undefined,
): Promise<number> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let lines = 0;
  let last = LINE_BREAK;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return last === LINE_BREAK ? lines : lines + 1;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1 && at < bytesRead; at = chunk.indexOf(LINE_BREAK, at + 1))
      lines += 1;
    last = chunk[bytesRead - 1] ?? LINE_BREAK;
  }
}
