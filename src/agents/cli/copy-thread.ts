import { randomUUID } from 'node:crypto';
import { type Dirent, readdirSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { openInside } from '../../sandbox/open-inside.js';
import { makeInside } from '../process/write-inside.js';
import { objectOf, text } from './fields.js';

/** How an agent keeps its conversations: each in a file of its name, one object a line, with its time. */
export type Transcripts = {
  /** Inside of its home; they may lie deeper. */
  folder: string;
  /** What it calls the folder of those that began in a workspace; undefined when that does not matter. */
  nameOf?(workspace: string): string;
};

/** Where an agent works, and where it keeps what it knows. */
export type Seat = { home: string; workspace: string };
type Origin = Seat & { thread: string; untilMs: number };

/** What it is called is its own word. */
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DEPTH_MAX = 4;
const BYTES_MAX = 256 * 1024 * 1024;

export type Copied = { thread: string } | { problem: string };
const NOT_THERE = { problem: 'it is not there any more' };

/**
 * Copies a conversation, as far as it had come by a time, to somebody who works elsewhere, under a name of its own. The
 * original may be gone on with meanwhile: it is only read.
 */
export async function copyThread(how: Transcripts, from: Origin, to: Seat): Promise<Copied> {
  try {
    const thread = NAME.test(from.thread) ? await copyFound(how, from, to) : undefined;
    return thread === undefined ? NOT_THERE : { thread };
  } catch (failure) {
    return { problem: `it cannot be copied: ${failure instanceof Error ? failure.message : String(failure)}` };
  }
}

async function copyFound({ folder, nameOf }: Transcripts, from: Origin, to: Seat): Promise<string | undefined> {
  const found = find(path.join(from.home, folder), `${from.thread}.jsonl`, DEPTH_MAX);
  if (found === undefined) return undefined;
  const opened = await openInside(from.home, path.relative(from.home, found));
  if (opened.type !== 'file') return undefined;
  try {
    if (opened.stats.size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`);
    return await copy(opened.handle, found, nameOf, from, to);
  } finally {
    await opened.handle.close();
  }
}

async function copy(
  source: FileHandle,
  found: string,
  nameOf: Transcripts['nameOf'],
  from: Origin,
  to: Seat,
): Promise<string | undefined> {
  const thread = randomUUID();
  let place = path.relative(from.home, found).replaceAll(from.thread, thread);
  if (nameOf) {
    const [before, now] = [nameOf(from.workspace), nameOf(to.workspace)].map((name) => `${path.sep}${name}${path.sep}`);
    if (before === undefined || now === undefined || !place.includes(before)) return undefined;
    place = place.replace(before, () => now);
  }
  const target = path.join(makeInside(to.home, path.dirname(place)), path.basename(place));
  const words = [
    [from.thread, thread],
    [inJson(from.workspace), inJson(to.workspace)],
    [inJson(from.home), inJson(to.home)],
  ] as const;
  const copied = await copyLines(source, `${target}.new`, from.untilMs, (line) =>
    words.reduce((now, [before, after]) => now.replaceAll(before, () => after), line),
  );
  if (!copied) return undefined;
  await rename(`${target}.new`, target);
  return thread;
}

/** What an agent may have put there instead of a folder or a file is not followed. */
function find(folder: string, ending: string, depth: number): string | undefined {
  for (const entry of entriesOf(folder)) {
    const place = path.join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith(ending)) return place;
    const deeper = entry.isDirectory() && depth > 1 ? find(place, ending, depth - 1) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it was cleaned, or never there
  }
}

async function copyLines(
  from: FileHandle,
  to: string,
  untilMs: number,
  change: (line: string) => string,
): Promise<boolean> {
  await rm(to, { force: true });
  const target = await open(to, 'wx', 0o600);
  try {
    return await copyUntil(from, target, untilMs, change);
  } finally {
    await target.close();
  }
}

/** A line that is being written just now is no object yet, and is from later in any case. */
async function copyUntil(
  source: FileHandle,
  target: FileHandle,
  untilMs: number,
  change: (line: string) => string,
): Promise<boolean> {
  let lines = 0;
  for await (const line of source.readLines({ autoClose: false })) {
    const { timestamp, type } = objectOf(line);
    if (type === undefined || Date.parse(text(timestamp)) > untilMs) break;
    await target.write(`${change(line)}\n`);
    lines += 1;
  }
  await target.sync();
  return lines > 0;
}

function inJson(words: string): string {
  return JSON.stringify(words).slice(1, -1);
}
