import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Scrub } from '../engine/scrub.js';

export type LogText = { run: string; handoff: string; attempt: number; text: string; end?: boolean };

/** A line may be longer, but then a secret that is cut in two is not seen. */
const LINE_LENGTH_MAX = 64 * 1024;

/** Where what an agent prints while it works is kept. It is for people: nothing depends on it, so nothing waits for it. */
export function logFileOf(folder: string, { run, handoff, attempt }: Omit<LogText, 'text' | 'end'>): string {
  return path.join(folder, 'jobs', run, 'log', `${handoff}.${attempt}.txt`);
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
