import { hash as digestOf } from 'node:crypto';
import { batchDigest, batchHash, GENESIS } from '../../engine/chain.js';
import type { Append, Hash, Hasher } from '../../engine/ports.js';
import type { Connection } from './connection.js';

export const HASHER: Hasher = { sha256: (data) => digestOf('sha256', data, 'hex') };

const INSERT_EVENT = `INSERT INTO journal (position, run_id, seq, type, data, at, actor, key, epoch, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_OF_RUN = 'INSERT INTO run_event (run, seq, position) VALUES (?, ?, ?)';
const INSERT_BATCH = 'INSERT INTO batch (batch, first_position, events, digest, hash) VALUES (?, ?, ?, ?, ?)';
const SELECT_HEAD = `SELECT first_position + events - 1 AS position, batch, hash FROM batch ORDER BY batch DESC LIMIT 1`;

/** Where the journal ends: the last event of the last batch. */
export type Head = { position: number; batch: number; hash: Hash };

/** Gives the events of one transaction their positions, and chains them as one batch. Lives as long as it. */
export class JournalWriter {
  readonly #connection: Connection;
  readonly #before: Head;
  readonly #hashes: Hash[] = [];

  constructor(connection: Connection, before: Head) {
    this.#connection = connection;
    this.#before = before;
  }

  get position(): number {
    return this.#before.position + this.#hashes.length;
  }

  get wrote(): boolean {
    return this.#hashes.length > 0;
  }

  /** `id` is the run's, as `run_event` names it. */
  write({ run, events, fence }: Append, id: number): void {
    for (const { seq, type, data, at, actor, key, hash } of events) {
      const position = this.position + 1;
      this.#connection.run(INSERT_EVENT, position, run, seq, type, data, at, actor, key, fence ?? null, hash);
      this.#connection.run(INSERT_OF_RUN, id, seq, position);
      this.#hashes.push(hash);
    }
  }

  /** Last thing before the commit. Answers with the head after it. */
  sealBatch(): Head {
    const events = this.#hashes.length;
    if (events === 0) return this.#before;
    const batch = this.#before.batch + 1;
    const first = this.#before.position + 1;
    const digest = batchDigest(HASHER, this.#hashes);
    const hash = batchHash(HASHER, this.#before.hash, first, events, digest);
    this.#connection.run(INSERT_BATCH, batch, first, events, digest, hash);
    return { position: this.position, batch, hash };
  }
}

export function readHead(connection: Connection): Head {
  return connection.get<Head>(SELECT_HEAD) ?? { position: 0, batch: 0, hash: GENESIS };
}
