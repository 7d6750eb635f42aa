/**
 * A folder that was reached without following a link and is held open: what is done in it is done in this very folder,
 * whatever is put in its place meanwhile (Linux; elsewhere it is looked at on the way).
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';

export type HeldFolder = {
  type: 'folder';
  /** Names the held folder for as long as it is held. */
  place: string;
  at(name: string): string;
  close(): Promise<void>;
};

export type Held = HeldFolder | { type: 'missing' } | { type: 'refused'; because: string };

/** Is told of each folder that is made; without it none is made. */
export type OnMade = (folder: string) => void;

const O_PATH = 0o10000000; // Node has no name for it
const { O_NOFOLLOW } = constants;

export async function holdFolder(root: string, below: string, onMade?: OnMade): Promise<Held> {
  const names = below.split('/').filter((name) => name !== '' && name !== '.');
  try {
    return process.platform === 'linux' ? await walk(root, names, onMade) : await lookOnTheWay(root, names, onMade);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return { type: 'missing' };
    throw failure;
  }
}

async function walk(root: string, names: readonly string[], onMade: OnMade | undefined): Promise<Held> {
  let here = await open(root, O_PATH | O_NOFOLLOW);
  let isKept = false;
  try {
    // Links above it are followed by the system: where that led is seen by what is held.
    if ((await realpath(`/proc/self/fd/${here.fd}`)) !== root) {
      return { type: 'refused', because: 'leads through a link' };
    }
    for (const [depth, name] of names.entries()) {
      const next = `/proc/self/fd/${here.fd}/${name}`;
      if (onMade) await make(next, path.join(root, ...names.slice(0, depth + 1)), onMade);
      const opened = await open(next, O_PATH | O_NOFOLLOW);
      await here.close();
      here = opened;
      const because = refusal(await here.stat());
      if (because) return { type: 'refused', because };
    }
    isKept = true;
    return held(`/proc/self/fd/${here.fd}/.`, here);
  } finally {
    if (!isKept) await here.close();
  }
}

async function lookOnTheWay(root: string, names: readonly string[], onMade: OnMade | undefined): Promise<Held> {
  let here = root;
  for (const name of names) {
    here = path.join(here, name);
    if (onMade) await make(here, here, onMade);
    const because = refusal(await lstat(here));
    if (because) return { type: 'refused', because };
  }
  return held(here, undefined);
}

async function make(place: string, shown: string, onMade: OnMade): Promise<void> {
  try {
    await mkdir(place);
    onMade(shown);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
  }
}

function refusal(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'leads through a link';
  return stats.isDirectory() ? undefined : 'lies below what is no folder';
}

function held(place: string, handle: FileHandle | undefined): HeldFolder {
  return {
    type: 'folder',
    place,
    at: (name) => `${place}/${name}`,
    close: async () => handle?.close(),
  };
}
