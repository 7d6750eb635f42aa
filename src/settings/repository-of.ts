import { existsSync } from 'node:fs';
import path from 'node:path';

/** The repository a folder lies in. */
export function repositoryOf(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
