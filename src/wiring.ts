/** Composes adapters and engine, lazily; the only file that knows them all. */

import { lstatSync, realpathSync } from 'node:fs';
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
  if (readOnly) return openForReading(home);
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

/** Without the store's own look at its journal when it opens: whoever audits it must see what is wrong with it. */
async function openForReading(home: string): Promise<EventStore> {
  const [{ loadDriver }, { Connection }, opening, { storeError }] = await Promise.all([
    import('./store/sqlite/driver.js'),
    import('./store/sqlite/connection.js'),
    Promise.all([
      import('./store/sqlite/home-folder.js'),
      import('./store/sqlite/home-marker.js'),
      import('./store/sqlite/pragmas.js'),
      import('./store/sqlite/schema-version.js'),
      import('./store/sqlite/network-file-system.js'),
    ]),
    import('./store/sqlite/sqlite-failure.js'),
  ]);
  const [{ checkDatabaseFile }, { checkHomeMarker }, { patiently, prepareConnection }, version, network] = opening;
  const file = path.join(home, 'baton.db');
  let connection: InstanceType<typeof Connection> | undefined;
  try {
    const type = network.networkFileSystemOf(realpathSync(home));
    if (type) throw new BatonError('STORE_NETWORK', `${home} is on a network file system (${type})`, { home });
    checkDatabaseFile(home, file);
    const reading = new Connection(await loadDriver(), file);
    connection = reading;
    if (version.needsMigration(reading, home, file)) version.migrate(reading);
    prepareConnection(reading, home);
    patiently(() => checkHomeMarker(reading, home, file));
    reading.exec('PRAGMA query_only = ON');
    return await readingStore(home, file, reading);
  } catch (failure) {
    connection?.close();
    throw storeError(failure, home);
  }
}

async function readingStore(
  home: string,
  file: string,
  connection: ConstructorParameters<typeof import('./store/sqlite/reader.js').Reader>[0],
): Promise<EventStore> {
  const [{ Reader }, { CommitWatch }, { SqliteStore }] = await Promise.all([
    import('./store/sqlite/reader.js'),
    import('./store/sqlite/commit-watch.js'),
    import('./store/sqlite/sqlite-store.js'),
  ]);
  const reader = new Reader(connection, home);
  return new SqliteStore({
    home,
    reader,
    watch: new CommitWatch(reader, `${file}-wal`),
    writer: {
      write: async () => {
        throw new BatonError('STORE_READONLY', 'the store was opened for reading only', { home });
      },
      close: async () => {},
    },
    monotonicMs: nodeClock.monotonicMs,
  });
}
