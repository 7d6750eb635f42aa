import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Folders and files inside of one that an agent may write to. It could have put a link there, which would lead whoever
 * follows it out: nothing is followed below that folder.
 */
export function makeInside(folder: string, below: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let place = folder;
  for (const name of below.split(path.sep)) {
    place = path.join(place, name);
    const there = lstatSync(place, { throwIfNoEntry: false });
    if (!there) mkdirSync(place, { mode: 0o700 });
    else if (!there.isDirectory()) throw new Error(`${place} is no folder`);
  }
  return place;
}

export function writeInside(folder: string, file: string, text: string): string {
  const below = path.dirname(file);
  const place = path.join(makeInside(folder, below), path.basename(file));
  rmSync(`${place}.new`, { recursive: true, force: true });
  writeFileSync(`${place}.new`, text, { flag: 'wx', mode: 0o600 });
  renameSync(`${place}.new`, place);
  return place;
}
