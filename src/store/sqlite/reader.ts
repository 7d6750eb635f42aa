import type {
  BatchRow,
  EventHead,
  EventRow,
  Hash,
  InboxRow,
  Loaded,
  ProcessRow,
  RunFilter,
  RunId,
  Snapshot,
  WorkerRow,
} from '../../engine/ports.js';
import { findRecorded } from './append-group.js';
import { readBody } from './bodies.js';
import type { Connection } from './connection.js';
import { readHead } from './journal-writer.js';
import { listRuns, PAGE_ROWS_MAX, readRun } from './list-runs.js';
import { listWorkers } from './list-workers.js';

/**
 * All reads, each complete when it returns: no read transaction outlives a call, so the WAL can always be checkpointed.
 */
const EVENT = `journal.position, journal.run_id AS run, journal.seq, journal.type, journal.data, journal.at,
  journal.actor, journal.key, journal.epoch, journal.hash`;
/** By the run's id to the positions of its events; what lies there must be what was looked for. */
const EVENTS_OF_RUN = `SELECT ${EVENT} FROM run_event CROSS JOIN journal ON journal.position = run_event.position
  WHERE run_event.run = (SELECT id FROM run WHERE run_id = ?1) AND run_event.seq > ?2
    AND journal.run_id = ?1 AND journal.seq = run_event.seq
  ORDER BY run_event.seq LIMIT ?3`;
const ALL_ROWS = -1;
const INBOX = `item, run_id AS run, key, kind, title, question, expires_at AS expiresAtMs, asked AS askedAt,
  answered AS answeredAt`;
const PROCESS = 'run_id AS run, handoff, attempt, worker, pid, started, pid_namespace AS pidNamespace';
const SNAPSHOT = 'run_id AS run, version, machine_version AS machineVersion, state';

export class Reader {
  readonly #connection: Connection;
  readonly #home: string;

  constructor(connection: Connection, home: string) {
    this.#connection = connection;
    this.#home = home;
  }

  /** It only reads this file; that it writes another one is writing to SQLite. */
  copyTo(file: string): void {
    this.#connection.exec('PRAGMA query_only = OFF');
    try {
      this.#connection.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
    } finally {
      this.#connection.exec('PRAGMA query_only = ON');
    }
  }

  load(run: RunId, after: number | undefined): Loaded | undefined {
    this.#connection.run('BEGIN');
    try {
      return this.#load(run, after);
    } finally {
      this.#connection.run('COMMIT');
    }
  }

  feed(after: number, limit: number): EventRow[] {
    const sql = `SELECT ${EVENT} FROM journal WHERE position > ? ORDER BY position LIMIT ?`;
    return this.#connection.all<EventRow>(sql, after, Math.min(limit, PAGE_ROWS_MAX)).map(plain);
  }

  feedHeads(after: number, limit: number): EventHead[] {
    const sql = 'SELECT position, run_id AS run, seq FROM journal WHERE position > ? ORDER BY position LIMIT ?';
    return this.#connection.all<EventHead>(sql, after, Math.min(limit, PAGE_ROWS_MAX)).map(plain);
  }

  events(run: RunId, after: number, limit: number): EventRow[] {
    return this.#connection.all<EventRow>(EVENTS_OF_RUN, run, after, Math.min(limit, PAGE_ROWS_MAX)).map(plain);
  }

  recorded(scope: string, key: string): { payload: Hash; answer: string } | undefined {
    const found = findRecorded(this.#connection, scope, key);
    return found && plain(found);
  }

  position(): number {
    return readHead(this.#connection).position;
  }

  ownedBy(worker: string): RunId[] {
    const sql = 'SELECT run_id FROM run WHERE owner = ? ORDER BY id';
    return this.#connection.all<{ run_id: RunId }>(sql, worker).map(({ run_id }) => run_id);
  }

  workers(): WorkerRow[] {
    return listWorkers(this.#connection);
  }

  nextWake(): number | null {
    const sql = 'SELECT min(wake_at) AS at FROM run WHERE owner IS NULL AND wake_at IS NOT NULL';
    return this.#connection.get<{ at: number | null }>(sql)?.at ?? null;
  }

  /** Moves whenever any other connection has committed. */
  dataVersion(): number {
    return this.#connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  run(run: RunId): ReturnType<typeof readRun> {
    return readRun(this.#connection, run);
  }

  runs(filter: RunFilter): ReturnType<typeof listRuns> {
    return listRuns(this.#connection, filter);
  }

  inbox({ open, after = 0, limit }: { open: boolean; after?: number; limit: number }): InboxRow[] {
    const waiting = open ? 'AND answered IS NULL' : '';
    const sql = `SELECT ${INBOX} FROM inbox WHERE item > ? ${waiting} ORDER BY item LIMIT ?`;
    return this.#connection.all<InboxRow>(sql, after, Math.min(limit, PAGE_ROWS_MAX)).map(plain);
  }

  body(sha256: Hash): Uint8Array | undefined {
    return readBody(this.#connection, this.#home, sha256);
  }

  /** The chain of commits behind a batch number, for whoever verifies it. */
  batches(after: number, limit: number): BatchRow[] {
    const sql = `SELECT batch, first_position AS firstPosition, events, digest, hash
      FROM batch WHERE batch > ? ORDER BY batch LIMIT ?`;
    return this.#connection.all<BatchRow>(sql, after, Math.min(limit, PAGE_ROWS_MAX)).map(plain);
  }

  processes(of: { run?: RunId; handoff?: string; worker?: string }): ProcessRow[] {
    const sql = `SELECT ${PROCESS} FROM process
      WHERE (?1 IS NULL OR run_id = ?1) AND (?2 IS NULL OR handoff = ?2) AND (?3 IS NULL OR worker = ?3)
      ORDER BY run_id, handoff, attempt, pid`;
    const values = [of.run ?? null, of.handoff ?? null, of.worker ?? null];
    return this.#connection.all<ProcessRow>(sql, ...values).map(plain);
  }

  heard(run: RunId): Map<string, number> {
    const rows = this.#connection.all<{ task: string; at: string }>(
      'SELECT task_id AS task, at FROM beat WHERE run_id = ?',
      run,
    );
    return new Map(rows.map(({ task, at }) => [task, Date.parse(at)]));
  }

  close(): void {
    this.#connection.close();
  }

  #load(run: RunId, after: number | undefined): Loaded | undefined {
    const row = this.#connection.get<Omit<Loaded, 'tail'>>(
      'SELECT kind, version, head, epoch, owner FROM run WHERE run_id = ?',
      run,
    );
    if (!row) return undefined;
    const snapshot =
      after === undefined
        ? this.#connection.get<Snapshot>(`SELECT ${SNAPSHOT} FROM snapshot WHERE run_id = ?`, run)
        : undefined;
    const from = after ?? snapshot?.version ?? 0;
    const tail = this.#connection.all<EventRow>(EVENTS_OF_RUN, run, from, ALL_ROWS).map(plain);
    return { ...row, tail, ...(snapshot && { snapshot: plain(snapshot) }) };
  }
}

/** Rows come without a prototype. */
function plain<T extends object>(row: T): T {
  return { ...row };
}
