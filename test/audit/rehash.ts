import { batchDigest, batchHash, eventHash } from '../../src/engine/chain.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { Connection } from '../../src/store/sqlite/connection.js';
import { nodeHasher } from '../../src/system/node-hasher.js';

type Batch = { batch: number; first_position: number; events: number };

/** What somebody with enough rights and patience would do after a change: make every hash fit again. */
export function rehash(connection: Connection): void {
  const heads = new Map<string, string>();
  const hashes: string[] = [];
  for (const row of connection.all<EventRow>('SELECT *, run_id AS run FROM journal ORDER BY position')) {
    const hash = eventHash(nodeHasher, heads.get(row.run) ?? '', row);
    heads.set(row.run, hash);
    hashes.push(hash);
    connection.run('UPDATE journal SET hash = ? WHERE position = ?', hash, row.position);
  }
  for (const [run, head] of heads) connection.run('UPDATE run SET head = ? WHERE run_id = ?', head, run);
  let previous = '';
  for (const { batch, first_position, events } of connection.all<Batch>('SELECT * FROM batch ORDER BY batch')) {
    const digest = batchDigest(nodeHasher, hashes.slice(first_position - 1, first_position - 1 + events));
    previous = batchHash(nodeHasher, previous, first_position, events, digest);
    connection.run('UPDATE batch SET digest = ?, hash = ? WHERE batch = ?', digest, previous, batch);
  }
}
