import { BatonError } from '../../contracts/shared/errors.js';
import { batchDigest, batchHash, GENESIS } from '../../engine/chain.js';
import type { Connection } from './connection.js';
import { HASHER, type Head, readHead } from './journal-writer.js';

/** Up to here all pages are looked at when the store is opened; a larger one is looked at by `baton store check`. */
const CHECKED_PAGES_MAX = 256;
const CHUNK_ROWS = 1_000;

type Batch = { batch: number; first_position: number; events: number; digest: string; hash: string };
type Damage = { problem: string; offset?: number };

/** Cheap at any size: the last batch is chained and nothing follows it, and a small file is sound throughout. */
export function checkHealth(connection: Connection, home: string, file: string): void {
  // Others may commit meanwhile: all of it is read from one moment.
  const problem = atOneMoment(connection, () => journalEndProblem(connection) ?? pageProblem(connection)?.problem);
  if (problem !== undefined) throw damageError(connection, home, file, problem);
}

function atOneMoment<T>(connection: Connection, look: () => T): T {
  connection.exec('BEGIN');
  try {
    return look();
  } finally {
    // After a failure of the disk SQLite has ended the transaction by itself: that failure is what counts.
    attempt(() => connection.exec('ROLLBACK'));
  }
}

/** What is known about the damage: where it is, and up to where the journal is good. */
export function damageError(connection: Connection, home: string, file: string, problem: string): BatonError {
  const where = attempt(() => findPageProblem(connection, 1));
  const lastGood = attempt(() => lastGoodBatch(connection));
  const at = where?.offset === undefined ? '' : ` near byte ${where.offset}`;
  const good = lastGood ? `, good up to position ${lastGood.position}` : '';
  return new BatonError('STORE_DAMAGED', `${file} is damaged${at}${good}: ${problem}`, {
    home,
    file,
    ...(where?.offset !== undefined && { offset: where.offset }),
    ...(lastGood && { last_good: lastGood }),
  });
}

function journalEndProblem(connection: Connection): string | undefined {
  const head = readHead(connection);
  const last =
    connection.get<{ position: number | null }>('SELECT max(position) AS position FROM journal')?.position ?? 0;
  if (last > head.position)
    return `there is an event at ${last}, behind the last batch, which ends at ${head.position}`;
  const batch = readBatch(connection, head.batch);
  if (!batch) return undefined;
  const archived = connection.get('SELECT 1 FROM stub WHERE position >= ? LIMIT 1', batch.first_position) !== undefined;
  return archived || isChained(connection, batch) ? undefined : 'the last batch does not match its events';
}

function isChained(connection: Connection, batch: Batch): boolean {
  const before = batch.batch === 1 ? GENESIS : readBatch(connection, batch.batch - 1)?.hash;
  // The batch before may have been replaced by a seal.
  if (before === undefined) return true;
  const rows = connection.all<{ hash: string }>(
    'SELECT hash FROM journal WHERE position BETWEEN ? AND ? ORDER BY position',
    batch.first_position,
    batch.first_position + batch.events - 1,
  );
  const digest = batchDigest(
    HASHER,
    rows.map(({ hash }) => hash),
  );
  return batchHash(HASHER, before, batch.first_position, rows.length, digest) === batch.hash;
}

function pageProblem(connection: Connection): Damage | undefined {
  return Number(connection.pragma('page_count')) > CHECKED_PAGES_MAX ? undefined : findPageProblem(connection, 1);
}

/** `Tree 5 page 12 cell 3: …` names a page; its place in the file follows from the page size. */
function findPageProblem(connection: Connection, limit: number): Damage | undefined {
  const problem = String(connection.pragma(`quick_check(${limit})`));
  if (problem === 'ok') return undefined;
  const page = /page (\d+)/i.exec(problem)?.[1];
  if (page === undefined) return { problem };
  return { problem, offset: (Number(page) - 1) * Number(connection.pragma('page_size')) };
}

/** Walks the chain from the beginning as far as it can be read and is whole. */
function lastGoodBatch(connection: Connection): Head | undefined {
  let good: Head | undefined;
  const chunk = 'SELECT batch, first_position, events, digest, hash FROM batch WHERE batch > ? ORDER BY batch LIMIT ?';
  attempt(() => {
    for (;;) {
      const batches = connection.all<Batch>(chunk, good?.batch ?? 0, CHUNK_ROWS);
      if (batches.length === 0) return;
      for (const batch of batches) {
        if (!isChained(connection, batch)) return;
        good = { batch: batch.batch, position: batch.first_position + batch.events - 1, hash: batch.hash };
      }
    }
  });
  return good;
}

function readBatch(connection: Connection, batch: number): Batch | undefined {
  return connection.get<Batch>('SELECT batch, first_position, events, digest, hash FROM batch WHERE batch = ?', batch);
}

/** In a damaged file any read may fail; what can still be said is said. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
