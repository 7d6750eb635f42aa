import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Git leaves the object it was writing when the disk became full, and would remove it after weeks. It takes the last
 * space of the user, so it goes at once. One that another git is writing just then cannot be finished either.
 */
export function dropUnfinishedObjects(commonDir: string, sinceMs: number): void {
  const objects = path.join(commonDir, 'objects');
  for (const folder of readdirSync(objects).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name))) {
    for (const name of readdirSync(path.join(objects, folder)).filter((one) => one.startsWith('tmp_'))) {
      const file = path.join(objects, folder, name);
      if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs) rmSync(file, { force: true });
    }
  }
}
