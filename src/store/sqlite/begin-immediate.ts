import type { Connection } from './connection.js';
import { isBusy } from './sqlite-failure.js';

/**
 * Takes the write lock of SQLite by asking again and again at short random intervals. busy_timeout is not used: its
 * growing sleeps starve a second writer.
 */
const RETRY_MS_MIN = 0.05;
const RETRY_MS_MAX = 0.45;
/** After another process was in the way, both leave each other room for so long. */
const CONTENTION_MS = 50;

const resting = new Int32Array(new SharedArrayBuffer(4));

export class WriteLock {
  readonly #connection: Connection;
  #contendedUntilMs = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** False when somebody else still held the lock after so long. Waits by blocking this thread. */
  begin(patienceMs: number): boolean {
    const startedMs = performance.now();
    // Who has just committed would win the lock again before the other wakes up.
    if (startedMs < this.#contendedUntilMs) rest();
    while (!this.#tryBegin()) {
      const nowMs = performance.now();
      this.#contendedUntilMs = nowMs + CONTENTION_MS;
      if (nowMs - startedMs >= patienceMs) return false;
      rest();
    }
    return true;
  }

  #tryBegin(): boolean {
    try {
      this.#connection.run('BEGIN IMMEDIATE');
      return true;
    } catch (failure) {
      if (isBusy(failure)) return false;
      throw failure;
    }
  }
}

function rest(): void {
  Atomics.wait(resting, 0, 0, RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN));
}
