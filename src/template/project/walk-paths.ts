import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isVendoredFolder } from './left-out.js';
import type { PathSink } from './path-sink.js';
import type { Skipped } from './project.js';

const DEPTH_MAX = 64;
const SLASH = Buffer.from('/');

/** Hands over every path below the folder, in a fixed order, without following links. */
export async function walkPaths(root: string, sink: PathSink, skipped: Skipped): Promise<void> {
  const waiting: { path: Buffer; depth: number }[] = [{ path: Buffer.alloc(0), depth: 0 }];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const entries = entriesOf(root, folder.path);
    if (entries === undefined) skipped.unreadable += 1;
    const below: Buffer[] = [];
    for (const entry of entries ?? []) {
      const path = folder.depth === 0 ? entry.name : Buffer.concat([folder.path, SLASH, entry.name]);
      if (entry.isDirectory()) {
        if (isVendoredFolder(entry.name.toString())) skipped.vendored += 1;
        else if (folder.depth < DEPTH_MAX) below.push(path);
        else skipped.unreadable += 1;
      } else if (!sink(path)) return;
    }
    for (const path of below.reverse()) waiting.push({ path, depth: folder.depth + 1 });
    await nextTurn();
  }
}

type Entry = { name: Buffer; isDirectory(): boolean };

function entriesOf(root: string, folder: Buffer): Entry[] | undefined {
  const full = Buffer.concat([Buffer.from(`${root}/`), folder]);
  let entries: (Dirent & Entry)[];
  try {
    entries = readdirSync(full, { withFileTypes: true, encoding: 'buffer' }) as unknown as (Dirent & Entry)[];
  } catch {
    return undefined;
  }
  return entries.sort((one, other) => Buffer.compare(one.name, other.name));
}
