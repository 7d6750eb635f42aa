import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CONTROL_FILES, controlFilesIn } from './confine-job.js';

/** Looked at before every command: 10,000 folders take a tenth of a second. */
const DEPTH_MAX = 10;
const FOLDERS_MAX = 10_000;
/** Between so many others have their turn. */
const FOLDERS_AT_ONCE = 200;
/** Each is some seven mounts, and every mount makes the next one slower: so many take half a second. */
const FOUND_MAX = 64;
/** Of others, made anew by whoever installs them. */
const PASSED_OVER = new Set(['node_modules', '.git']);

/** `isWhole`: everything was looked at. */
type NestedControl = { control: string[]; isWhole: boolean } | { reason: string };

/** The same for several folders, which may lie in each other. */
export async function controlFilesBelowAll(roots: readonly string[]): Promise<NestedControl> {
  const all = new Set<string>();
  let isWhole = true;
  for (const root of roots) {
    const below = await controlFilesBelow(root);
    if ('reason' in below) return below;
    for (const file of below.control) all.add(file);
    isWhole &&= below.isWhole;
  }
  return { control: [...all], isWhole };
}

/**
 * What nobody may change in a folder that they may write to, nor in the repositories below it: whoever opens one of
 * them later does so with all rights. The nearest come first, so that what lies beyond the bounds is far away.
 */
async function controlFilesBelow(root: string): Promise<NestedControl> {
  const control = controlFilesIn(root);
  let level = [root];
  let [looked, found] = [0, 0];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return { control, isWhole: false };
    const next: string[] = [];
    for (const folder of level) {
      if (looked === FOLDERS_MAX) return { control, isWhole: false };
      looked += 1;
      if (looked % FOLDERS_AT_ONCE === 0) await setImmediate();
      const entries = entriesOf(folder);
      const files = folder === root ? [] : controlIn(folder, entries);
      control.push(...files);
      if (files.length > 0) found += 1;
      if (found > FOUND_MAX)
        return { reason: `${root} holds more than ${FOUND_MAX} repositories: work in one of them` };
      const folders = entries.filter((one) => one.isDirectory() && !PASSED_OVER.has(one.name));
      next.push(...folders.map(({ name }) => path.join(folder, name)));
    }
    level = next;
  }
  return { control, isWhole: true };
}

function controlIn(folder: string, entries: readonly Dirent[]): string[] {
  if (entries.some(({ name }) => name === '.git')) return controlFilesIn(folder);
  const files = entries.filter((one) => CONTROL_FILES.includes(one.name) && !one.isDirectory());
  return files.map(({ name }) => path.join(folder, name));
}

/** What this user cannot read, nobody who is confined can: it is passed over. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
