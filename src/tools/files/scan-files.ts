import { RESULTS_MAX } from '../first-of.js';
import { readText } from './read-text.js';

/** Opened at once; what is found keeps the order of the files. */
const AT_ONCE = 16;

/** Files that were not looked into, by why. */
export type Skipped = { binary: number; large: number; unreadable: number };
/** `found` are the first of `total`. */
export type Scanned<Found> = { found: Found[]; total: number; searched: number; skipped: Skipped };

/** Looks into every file that is text and not too large. */
export async function scanFiles<Found>(
  folder: string,
  files: readonly string[],
  { signal, look }: { signal: AbortSignal; look(file: string, text: string): Promise<Found[]> | Found[] },
): Promise<Scanned<Found>> {
  const scanned: Scanned<Found> = { found: [], total: 0, searched: 0, skipped: { binary: 0, large: 0, unreadable: 0 } };
  for (let next = 0; next < files.length; next += AT_ONCE) {
    signal.throwIfAborted();
    const batch = files.slice(next, next + AT_ONCE);
    const texts = await Promise.all(batch.map((file) => readText(folder, file)));
    for (const [index, file] of batch.entries()) {
      const read = texts[index];
      if (read?.type === 'text') {
        scanned.searched += 1;
        const found = await look(file, read.text);
        scanned.total += found.length;
        scanned.found.push(...found.slice(0, RESULTS_MAX - scanned.found.length));
      } else if (read?.type === 'binary' || read?.type === 'large') scanned.skipped[read.type] += 1;
      else scanned.skipped.unreadable += 1;
    }
  }
  return scanned;
}
