import { createHash } from 'node:crypto';
import { batchDigest, batchHash } from '../../engine/chain.js';
import type { Append, Hash, Hasher } from '../../engine/ports.js';
import type { Connection } from './connection.js';

export const HASHER: Hasher = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

const INSERT_EVENT = `INSERT INTO journal (position, run_id, seq, type, data, at, actor, key, epoch, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export type Head = { position: number; batch: number; hash: Hash };

/** Gives the events of one transaction their positions, and chains them as one batch. Lives as long as it. */
export class JournalWriter {
  readonly #connection: Connection;
  readonly #head: Head;
  readonly #hashes: Hash[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#head = readHead(connection);
  }

  get position(): number {
    return this.#head.position + this.#hashes.length;
  }

  get wrote(): boolean {
    return this.#hashes.length > 0;
  }

  write({ run, events, fence }: Append): void {
    for (const { seq, type, data, at, actor, key, hash } of events) {
      const position = this.position + 1;
      this.#connection.run(INSERT_EVENT, position, run, seq, type, data, at, actor, key, fence ?? null, hash);
      this.#hashes.push(hash);
    }
  }

  /** Last thing before the commit. */
  sealBatch(): void {
    const events = this.#hashes.length;
    if (events === 0) return;
    const batch = this.#head.batch + 1;
    const first = this.#head.position + 1;
    const digest = batchDigest(HASHER, this.#hashes);
    const hash = batchHash(HASHER, this.#head.hash, first, events, digest);
    this.#connection.run('INSERT INTO batch VALUES (?, ?, ?, ?, ?)', batch, first, events, digest, hash);
    const moveHead = 'UPDATE journal_head SET position = ?, batch = ?, hash = ? WHERE id = 1';
    this.#connection.run(moveHead, this.position, batch, hash);
  }
}

export function readHead(connection: Connection): Head {
  const head = connection.get<Head>('SELECT position, batch, hash FROM journal_head WHERE id = 1');
  if (!head) throw new Error('the journal has no head');
  return head;
}
