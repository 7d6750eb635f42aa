import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

export const FILES_MAX = 200_000;
/** Made by others: what is found in there is not what is asked about. */
const VENDORED = new Set(['node_modules', 'bower_components', 'vendor', 'third_party', '__pycache__']);

/** All regular files below a folder that is no repository; no link is followed. */
export async function walkFolder(folder: string, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const due = [''];
  for (let here = due.pop(); here !== undefined && files.length < FILES_MAX; here = due.pop()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(folder, here)) {
      const inside = here === '' ? entry.name : `${here}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !VENDORED.has(entry.name)) due.push(inside);
    }
  }
  return files;
}

async function entriesOf(folder: string, inside: string) {
  const here = path.join(folder, inside);
  try {
    const entries = await readdir(here, { withFileTypes: true });
    // One that has become a link meanwhile is another folder.
    return (await realpath(here)) === here ? entries : [];
  } catch {
    return []; // closed to this user, or gone
  }
}
