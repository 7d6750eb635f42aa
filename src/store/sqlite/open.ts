import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { CommitWatch } from './commit-watch.js';
import { Connection } from './connection.js';
import { createCommitter } from './create-committer.js';
import { type Driver, loadDriver } from './driver.js';
import { syncFolder } from './durable-file.js';
import { checkHealth, damageError } from './health.js';
import { checkDatabaseFile, nameDatabase, prepareHome } from './home-folder.js';
import { checkHomeMarker } from './home-marker.js';
import { patiently, prepareConnection } from './pragmas.js';
import { Reader } from './reader.js';
import { RecentEvents } from './recent-events.js';
import { createTables, migrate, needsMigration } from './schema-version.js';
import { isDamage, storeError } from './sqlite-failure.js';
import { SqliteStore } from './sqlite-store.js';
import { isSafeSqlite } from './sqlite-version.js';
import type { OnNews } from './tick-queue.js';
import { workerLocks } from './worker-locks.js';
import type { Writer } from './write-tasks.js';
import { createMainWriter } from './writer-main.js';
import { createThreadWriter } from './writer-thread.js';

export type OpenOptions = {
  /** Baton's folder; made when absent. */
  home: string;
  /** `main` for a command that ends soon, `thread` for a server that must not stop while the disk works. */
  writer: 'main' | 'thread';
  /** The observer's clock, by which workers are silent. */
  monotonicMs?: () => number;
  /** Where the writer thread's code is, when it is not built beside this file. */
  workerUrl?: URL;
};

/** Opens the store of a home folder, or says why it must not be used. */
export async function openSqliteStore(options: OpenOptions): Promise<SqliteStore> {
  const driver = await loadDriver();
  try {
    return await open(driver, prepareHome(options.home), options);
  } catch (failure) {
    throw storeError(failure, options.home);
  }
}

async function open(driver: Driver, home: string, options: OpenOptions): Promise<SqliteStore> {
  const file = path.join(home, 'baton.db');
  checkDriver(driver, home);
  if (!existsSync(file)) createDatabase(driver, home, file);
  checkDatabaseFile(home, file);
  const connection = openChecked(driver, home, file);
  const reader = new Reader(connection, home);
  const watch = new CommitWatch(reader, `${file}-wal`);
  let store: SqliteStore | undefined;
  const recent = new RecentEvents();
  const onNews: OnNews = (tasks, outcomes) => watch.committed(recent.add(tasks, outcomes));
  const onDeath = (failure: Error): void => store?.refuseFromNowOn(failure);
  const writer = await createWriter(driver, home, options, { onNews, onDeath }).catch((failure: unknown) => {
    connection.close();
    throw failure;
  });
  store = new SqliteStore({
    home,
    writer,
    reader,
    watch,
    locks: workerLocks(driver, home),
    recent,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
  });
  return store;
}

async function createWriter(
  driver: Driver,
  home: string,
  { writer, workerUrl }: OpenOptions,
  events: { onNews: OnNews; onDeath: (failure: Error) => void },
): Promise<Writer> {
  if (writer === 'main') return createMainWriter(createCommitter(driver, home), events.onNews);
  return createThreadWriter({ home, ...events, ...(workerUrl && { workerUrl }) });
}

function checkDriver(driver: Driver, home: string): void {
  const probe = new Connection(driver, ':memory:');
  const version = probe.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '';
  probe.close();
  if (isSafeSqlite(version)) return;
  const reason = `SQLite ${version} can lose committed data (WAL-reset bug); 3.51.3 or newer is needed`;
  throw new BatonError('STORE_DRIVER', reason, { home, version });
}

/** Made under another name and linked when complete: an empty or half-made `baton.db` can only be damage. */
function createDatabase(driver: Driver, home: string, file: string): void {
  const making = `${file}.${randomUUID()}.new`;
  try {
    closeSync(openSync(making, 'wx', 0o600));
    const connection = new Connection(driver, making);
    try {
      createTables(connection);
    } finally {
      connection.close();
    }
    nameDatabase(making, file);
    syncFolder(home);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(`${making}${suffix}`, { force: true });
  }
}

function openChecked(driver: Driver, home: string, file: string): Connection {
  const connection = new Connection(driver, file);
  try {
    if (needsMigration(connection, home, file)) migrate(connection);
    prepareConnection(connection, home);
    checkHealth(connection, home, file);
    patiently(() => checkHomeMarker(connection, home, file));
    connection.exec('PRAGMA query_only = ON');
    return connection;
  } catch (failure) {
    const told = isDamage(failure) ? damageError(connection, home, file, (failure as Error).message) : failure;
    connection.close();
    throw told;
  }
}
