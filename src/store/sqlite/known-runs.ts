import type { RunId } from '../../engine/ports.js';
import type { Connection } from './connection.js';
import { type Head, readHead } from './journal-writer.js';
import { type Standing, standingOf } from './run-writer.js';

/**
 * What the writing connection remembers from one transaction to the next, so that it is not read again in each.
 *
 * K1 It is used inside a transaction only, and only while no other connection has committed since (`data_version`).
 * K2 Whoever changes a run other than by appending to it forgets it here. A transaction that fails forgets everything.
 */
const RUNS_MAX = 10_000;

export class KnownRuns {
  readonly #connection: Connection;
  readonly #standings = new Map<RunId, Standing>();
  #head: Head | undefined;
  #dataVersion = -1;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** First thing in a transaction. */
  begin(): void {
    const now = this.#connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? -1;
    if (now !== this.#dataVersion) this.forgetAll();
    this.#dataVersion = now;
  }

  get head(): Head {
    this.#head ??= readHead(this.#connection);
    return this.#head;
  }

  set head(head: Head) {
    this.#head = head;
  }

  get(run: RunId): Standing | undefined {
    const known = this.#standings.get(run);
    if (known) return known;
    const read = standingOf(this.#connection, run);
    if (read) this.set(run, read);
    return read;
  }

  set(run: RunId, standing: Standing): void {
    this.#standings.set(run, standing);
    if (this.#standings.size <= RUNS_MAX) return;
    for (const [oldest] of this.#standings) return void this.#standings.delete(oldest);
  }

  forget(run: RunId): void {
    this.#standings.delete(run);
  }

  forgetAll(): void {
    this.#standings.clear();
    this.#head = undefined;
  }
}
