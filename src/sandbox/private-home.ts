import { statSync } from 'node:fs';
import os from 'node:os';

/** HOME inside a sandbox: where the user's is, so that programs of version managers are found, but empty and in memory. */
export function privateHome(): string {
  const home = os.homedir();
  return home !== '/' && statSync(home, { throwIfNoEntry: false })?.isDirectory() ? home : '/tmp';
}
