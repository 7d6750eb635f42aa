import { appendFileSync, mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { Scrub } from '../engine/scrub.js';

export type LogText = { run: string; handoff: string; attempt: number; text: string; end?: boolean };

/** A line may be longer, but then a secret that is cut in two is not seen. */
const LINE_LENGTH_MAX = 64 * 1024;

/** Where what an agent prints while it works is kept. It is for people: nothing depends on it, so nothing waits for it. */
export function logFileOf(folder: string, { run, handoff, attempt }: Omit<LogText, 'text' | 'end'>): string {
  return path.join(folder, 'jobs', run, 'log', `${handoff}.${attempt}.txt`);
}

const PIECE_BYTES = 64 * 1024;

/** From a byte on, a bounded piece that ends with a whole character; `next` is the byte behind it. */
export async function readLogFile(file: string, after: number): Promise<{ text: string; next: number }> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch {
    return { text: '', next: after }; // nothing was printed yet
  }
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, piece.length, after);
    const whole = piece.subarray(0, wholeCharacters(piece.subarray(0, bytesRead)));
    return { text: whole.toString('utf8'), next: after + whole.length };
  } finally {
    await handle.close();
  }
}

/** How many bytes there are without a character that is cut off at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && last >= 0 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last -= 1;
  const lead = bytes[last] ?? 0;
  const wants = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return last >= 0 && last + wants > bytes.length ? last : bytes.length;
}

/** Whole lines, without secrets. */
export function keepLogs(folder: string, scrub: Scrub): (piece: LogText) => void {
  const unfinished = new Map<string, string>();
  return (piece) => {
    const file = logFileOf(folder, piece);
    const text = (unfinished.get(file) ?? '') + piece.text;
    const whole = piece.end || text.length > LINE_LENGTH_MAX ? text.length : text.lastIndexOf('\n') + 1;
    unfinished.set(file, text.slice(whole));
    if (piece.end) unfinished.delete(file);
    if (whole > 0) append(file, scrub(text.slice(0, whole)));
  };
}

function append(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    // a full disk stops the job elsewhere, with a reason
  }
}
