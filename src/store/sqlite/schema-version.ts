import { BatonError } from '../../contracts/shared/errors.js';
import type { Connection } from './connection.js';
import { APPLICATION_ID, MIGRATIONS } from './migrations.js';
import { patiently } from './pragmas.js';

const STAMP = `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`;

/** All steps at once on a new file. Only `exec`, see Connection: the file is named after it was closed. */
export function createTables(connection: Connection): void {
  connection.exec(`PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${MIGRATIONS.join('')} ${STAMP}; COMMIT`);
}

/** Brings the tables to this release's form. Runs in one transaction; a second process waits and finds it done. */
export function migrate(connection: Connection): void {
  patiently(() => connection.exec('BEGIN IMMEDIATE'));
  try {
    const done = versionOf(connection);
    for (const step of MIGRATIONS.slice(done)) connection.exec(step);
    connection.exec(STAMP);
    connection.exec('COMMIT');
  } catch (failure) {
    connection.exec('ROLLBACK');
    throw failure;
  }
}

/** True when steps are missing. Refuses files that this release must not touch. */
export function needsMigration(connection: Connection, home: string, file: string): boolean {
  const id = patiently(() => connection.pragma('application_id'));
  if (id !== APPLICATION_ID) {
    throw new BatonError('STORE_DAMAGED', `${file} is not a store of Baton`, { home, file });
  }
  const version = versionOf(connection);
  if (version > MIGRATIONS.length) {
    const reason = `the store has version ${version}; this release knows versions up to ${MIGRATIONS.length}`;
    throw new BatonError('STORE_NEWER', reason, { home, version });
  }
  return version < MIGRATIONS.length;
}

function versionOf(connection: Connection): number {
  return Number(connection.pragma('user_version'));
}
