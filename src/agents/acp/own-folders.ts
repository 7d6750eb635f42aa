import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../metering/providers.js';

/** Folders of the user's in which an agent keeps its own login; those that are there. */
export function ownFolders({ HOME }: Environment, folders: readonly string[]): string[] {
  return folders.map((folder) => path.resolve(HOME || os.homedir(), folder)).filter((folder) => existsSync(folder));
}
