import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { CommitWatch } from './commit-watch.js';
import { Connection } from './connection.js';
import { loadDriver } from './driver.js';
import { checkDatabaseFile } from './home-folder.js';
import { checkHomeMarker } from './home-marker.js';
import { networkFileSystemOf } from './network-file-system.js';
import { patiently, prepareConnection } from './pragmas.js';
import { Reader } from './reader.js';
import { migrate, needsMigration } from './schema-version.js';
import { storeError } from './sqlite-failure.js';
import { SqliteStore } from './sqlite-store.js';
import { workerLocks } from './worker-locks.js';
import type { Writer } from './write-tasks.js';

/** Without the store's own look at its journal when it opens: whoever audits it must see what is wrong with it. */
export async function openForReading(home: string, monotonicMs: () => number): Promise<SqliteStore> {
  const file = path.join(home, 'baton.db');
  let connection: Connection | undefined;
  try {
    const type = networkFileSystemOf(realpathSync(home));
    if (type) throw new BatonError('STORE_NETWORK', `${home} is on a network file system (${type})`, { home });
    checkDatabaseFile(home, file);
    const driver = await loadDriver();
    const reading = new Connection(driver, file);
    connection = reading;
    if (needsMigration(reading, home, file)) migrate(reading);
    prepareConnection(reading, home);
    patiently(() => checkHomeMarker(reading, home, file));
    reading.exec('PRAGMA query_only = ON');
    const reader = new Reader(reading, home);
    return new SqliteStore({
      home,
      reader,
      watch: new CommitWatch(reader, `${file}-wal`),
      locks: workerLocks(driver, home),
      writer: nobody(home),
      monotonicMs,
    });
  } catch (failure) {
    connection?.close();
    throw storeError(failure, home);
  }
}

function nobody(home: string): Writer {
  const refuse = async (): Promise<never> => {
    throw new BatonError('STORE_READONLY', 'the store was opened for reading only', { home });
  };
  return { write: refuse, close: async () => {} };
}
