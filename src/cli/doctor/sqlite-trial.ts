import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SqliteTrial } from './probe.js';

const BUILT_IN_SINCE = 24;

type Database = {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
  close(): void;
};
type Driver = { DatabaseSync: new (file: string) => Database };

/** Opens SQLite as the store does. With a folder, on a real file there that is removed again. */
export async function trySqlite(folder: string | undefined): Promise<SqliteTrial> {
  const builtIn = Number(process.versions.node.split('.')[0]) >= BUILT_IN_SINCE;
  const driver = builtIn ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = await loadDriver(builtIn);
  const memory = new DatabaseSync(':memory:');
  const version = String(ask(memory, 'SELECT sqlite_version() AS answer'));
  memory.close();
  if (folder === undefined) return { driver, version };
  const scratch = await mkdtemp(path.join(folder, '.baton-doctor-'));
  try {
    return { driver, version, onFile: tryFile(DatabaseSync, path.join(scratch, 'probe.db')) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function loadDriver(builtIn: boolean): Promise<Driver> {
  if (!builtIn) return import('@photostructure/sqlite');
  return process.getBuiltinModule('node:sqlite') as unknown as Driver; // not in the types of Node 20
}

function tryFile(DatabaseSync: Driver['DatabaseSync'], file: string): NonNullable<SqliteTrial['onFile']> {
  const writer = new DatabaseSync(file);
  try {
    const journalMode = String(ask(writer, 'PRAGMA journal_mode = WAL', 'journal_mode'));
    writer.exec('PRAGMA synchronous = FULL; CREATE TABLE probe (answer INTEGER); INSERT INTO probe VALUES (42)');
    const synchronous = Number(ask(writer, 'PRAGMA synchronous', 'synchronous'));
    const walSeen = existsSync(`${file}-wal`);
    const reader = new DatabaseSync(file);
    const rowKept = ask(reader, 'SELECT answer FROM probe') === 42;
    reader.close();
    return { journalMode, synchronous, walSeen, rowKept };
  } finally {
    writer.close();
  }
}

function ask(database: Database, sql: string, column = 'answer'): unknown {
  return (database.prepare(sql).get() as Record<string, unknown> | undefined)?.[column];
}
