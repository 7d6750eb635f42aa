import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { Connection } from './connection.js';
import type { Driver } from './driver.js';
import { isBusy } from './sqlite-failure.js';
import { writeNote } from './worker-note.js';

/**
 * Who is alive. Every worker holds an exclusive transaction on a file of its own; the kernel ends it with the process.
 *
 * L1 A lock that can be read is nobody's: its worker is dead. Process ids are not asked, they lie in containers.
 * L2 A worker id is used once: a dead worker never comes back to life.
 * L3 Locks are used with `exec` only, see Connection: the lock must be free once it is closed.
 * L4 A lock file is opened by SQLite only. Closing any other descriptor of it would drop the lock (POSIX).
 */
const WORKER_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
/** An observer holds a shared lock for a moment; taking the lock must outlast that. */
const TAKE_ATTEMPTS_MAX = 200;

export const workerLocks = (driver: Driver, home: string): WorkerLocks =>
  new WorkerLocks(driver, path.join(home, 'workers'));

export class WorkerLocks {
  readonly #driver: Driver;
  readonly #folder: string;
  readonly #held = new Map<string, Connection>();

  constructor(driver: Driver, folder: string) {
    this.#driver = driver;
    this.#folder = folder;
  }

  take(worker: string, host: string): void {
    if (!WORKER_ID.test(worker)) throw new BatonError('USAGE', `${JSON.stringify(worker)} is no name for a worker`);
    if (this.#held.has(worker)) return;
    const lock = new Connection(this.#driver, this.#file(worker));
    if (!takeExclusive(lock)) {
      lock.close();
      throw new BatonError('STORE_BUSY', `a worker ${worker} is alive already`, { holders: [worker] });
    }
    this.#held.set(worker, lock);
    writeNote(this.#folder, worker, host);
  }

  isDead(worker: string): boolean {
    if (this.#held.has(worker)) return false;
    if (!WORKER_ID.test(worker) || !existsSync(this.#file(worker))) return true;
    const lock = new Connection(this.#driver, this.#file(worker));
    try {
      lock.exec('PRAGMA schema_version');
      return true;
    } catch (failure) {
      if (isBusy(failure)) return false;
      throw failure;
    } finally {
      lock.close();
    }
  }

  /** Also for others' locks that were seen to be free. */
  remove(worker: string): void {
    this.#held.get(worker)?.close();
    this.#held.delete(worker);
    rmSync(this.#file(worker), { force: true });
    rmSync(path.join(this.#folder, `${worker}.json`), { force: true });
  }

  close(): void {
    for (const worker of [...this.#held.keys()]) this.remove(worker);
  }

  #file(worker: string): string {
    return path.join(this.#folder, `${worker}.lock`);
  }
}

function takeExclusive(lock: Connection): boolean {
  for (let attempt = 0; attempt < TAKE_ATTEMPTS_MAX; attempt += 1) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
  }
  return false;
}
