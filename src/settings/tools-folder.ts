import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryOf } from './repository-of.js';

/** Where tools look when nothing is said: the repository around this folder, or the folder, unless that is everything a user has. */
export function toolsFolder(cwd: string): string | undefined {
  const folder = repositoryOf(cwd) ?? cwd;
  const real = `${realPath(folder)}/`.replace('//', '/');
  return `${realPath(os.homedir())}/`.startsWith(real) ? undefined : folder;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
