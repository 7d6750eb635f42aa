import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { removeFolder } from './remove-folder.js';

/** Removes all but those of the folders in it that were used last. Others may be doing the same at the moment. */
export function keepNewest(all: string, keptMax: number): void {
  const ages = readdirSync(all).flatMap((name) => {
    const folder = path.join(all, name);
    const atMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    return atMs === undefined ? [] : [{ folder, atMs }];
  });
  const old = ages.sort((one, other) => other.atMs - one.atMs).slice(keptMax);
  for (const { folder } of old) removeFolder(folder);
}
