/** Composes adapters and engine, lazily; the only file that knows them all. */

import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Home } from './cli/opened-home.js';
import { BatonError } from './contracts/shared/errors.js';
import { errandDecider } from './core/errand/errand-decider.js';
import { Machines } from './engine/machines.js';
import type { EventStore } from './engine/ports.js';
import { createScrub } from './engine/scrub.js';
import { environmentSecrets } from './system/environment-secrets.js';
import { nodeClock } from './system/node-clock.js';
import { nodeHasher } from './system/node-hasher.js';
import { nodeIds } from './system/node-ids.js';
import { createNodeSigner } from './system/node-signer.js';

type HomeOptions = {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `main` for a command that ends soon, `thread` for a server that must not stop while the disk works. */
  writer: 'main' | 'thread';
  /** Makes nothing, not even the folder, and takes the journal as it is, so that a broken one can be looked at. */
  readOnly?: boolean;
};

export async function openHome({ home, env, writer, readOnly = false }: HomeOptions): Promise<Home> {
  const stored = !readOnly || hasStore(home);
  const store = await openStore(home, writer, readOnly, stored);
  return {
    folder: home,
    stored,
    store,
    clock: nodeClock,
    ids: nodeIds,
    hasher: nodeHasher,
    signer: createNodeSigner(home),
    scrub: createScrub(environmentSecrets(env)),
    machines: new Machines().add(errandDecider),
    close: () => store.close(),
  };
}

async function openStore(
  home: string,
  writer: HomeOptions['writer'],
  readOnly: boolean,
  stored: boolean,
): Promise<EventStore> {
  if (!stored) return emptyStore();
  if (readOnly) {
    const { openForReading } = await import('./store/sqlite/open-for-reading.js');
    return openForReading(home, nodeClock.monotonicMs);
  }
  const { openSqliteStore } = await import('./store/sqlite/open.js');
  return openSqliteStore({ home, writer, monotonicMs: nodeClock.monotonicMs });
}

function hasStore(home: string): boolean {
  try {
    lstatSync(path.join(home, 'baton.db'));
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw new BatonError('HOME_UNUSABLE', `${home} cannot be looked into (${code})`, { home });
  }
}

async function emptyStore(): Promise<EventStore> {
  const [{ MemoryStore }, { MemoryJournal }] = await Promise.all([
    import('./store/memory/memory-store.js'),
    import('./store/memory/journal.js'),
  ]);
  return new MemoryStore(new MemoryJournal(nodeHasher), nodeClock);
}
