import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Folder } from './ecosystems.js';

const FILE_BYTES_MAX = 2 * 1024 * 1024;

/** The top of the git repository around a folder, else the folder itself. Found without git, which may be missing. */
export function repositoryRoot(start: string): string {
  for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return path.resolve(start);
  }
}

/** A name that ends in `/` is a folder, any other a file. What cannot be read counts as absent. */
export function repositoryFolder(root: string): Folder {
  const facts = (name: string) => statSync(path.join(root, name), { throwIfNoEntry: false });
  const has = (name: string) =>
    safely(() => (name.endsWith('/') ? facts(name)?.isDirectory() : facts(name)?.isFile())) ?? false;
  return {
    has,
    read: (name) =>
      has(name)
        ? safely(() => ((facts(name)?.size ?? 0) > FILE_BYTES_MAX ? '' : readFileSync(path.join(root, name), 'utf8')))
        : undefined,
  };
}

function safely<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
