// What the store is compared with: the same bytes in a plain file, and the same rows in a bare database.
import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Writes that are each synced before the next: appended to a file, or over what a file has already. */
export class SyncedFile {
  #file;
  /** Undefined when it grows. */
  #length;

  constructor(folder, { length } = {}) {
    this.#length = length;
    this.#file = openSync(path.join(folder, length ? 'overwritten.log' : 'appended.log'), length ? 'w' : 'a');
    if (length) writeSync(this.#file, Buffer.alloc(length));
    fdatasyncSync(this.#file);
  }

  /** Writes per second. */
  rate(bytes, count) {
    const started = process.hrtime.bigint();
    for (let written = 0; written < count; written += 1) {
      const at = this.#length ? (written * bytes.length) % (this.#length - bytes.length) : null;
      writeSync(this.#file, bytes, 0, bytes.length, at);
      fdatasyncSync(this.#file);
    }
    return (count / Number(process.hrtime.bigint() - started)) * 1e9;
  }

  close() {
    closeSync(this.#file);
  }
}

const INSERT = `INSERT INTO journal (position, run_id, seq, type, data, at, actor, key, epoch, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The journal's row alone, by the same driver, tables and settings as the store's; no chain, run row or key. */
export class RowsOnly {
  #connection;
  #position = 0;

  static async open(baton, folder) {
    const connection = new baton.Connection(await baton.loadDriver(), path.join(folder, 'rows-only.db'));
    baton.createTables(connection);
    baton.prepareConnection(connection, folder);
    return new RowsOnly(connection);
  }

  constructor(connection) {
    this.#connection = connection;
  }

  /** Rows per second of so many runs, one row of each in a transaction. */
  rate({ type, data, at, actor, hash }, runs, count) {
    const names = Array.from({ length: runs }, () => randomUUID());
    const started = process.hrtime.bigint();
    for (let written = 0; written < count; written += runs) {
      this.#connection.run('BEGIN IMMEDIATE');
      for (const run of names) {
        this.#position += 1;
        this.#connection.run(INSERT, this.#position, run, this.#position, type, data, at, actor, null, null, hash);
      }
      this.#connection.run('COMMIT');
    }
    return (count / Number(process.hrtime.bigint() - started)) * 1e9;
  }

  close() {
    this.#connection.close();
  }
}
