import { BatonError } from '../../contracts/shared/errors.js';
import type { Append, Appended, RunId } from '../../engine/ports.js';
import { type StoredBodies, writeBodies } from './bodies.js';
import type { Connection } from './connection.js';
import { writeInbox } from './inbox-writer.js';
import type { JournalWriter } from './journal-writer.js';
import type { KnownRuns } from './known-runs.js';
import { type Standing, writeRun } from './run-writer.js';

/**
 * A1 A group is looked at as a whole before its first write: refused groups leave nothing behind.
 * A2 Groups of one transaction see what the groups before them wrote.
 */
export type Transaction = { connection: Connection; home: string; journal: JournalWriter; known: KnownRuns };

type Recorded = { payload: string; answer: string };
/** Where a run will be once the members before this one are written. */
type Ahead = Map<RunId, { version: number; epoch: number }>;

const SELECT_RECORDED = 'SELECT payload, answer FROM dedupe WHERE scope = ? AND key = ?';
const INSERT_RECORDED = `INSERT INTO dedupe (scope, key, payload, run_id, version, answer, at) VALUES (?, ?, ?, ?, ?, ?, ?)`;

export function appendGroup(tx: Transaction, group: readonly Append[], bodies: StoredBodies): readonly Appended[] {
  const ahead: Ahead = new Map();
  const refusals = group.map((append) => judge(tx, append, ahead));
  if (refusals.some((refusal) => refusal !== undefined)) {
    return refusals.map((refusal, index) => refusal ?? withheld(tx, group[index]));
  }
  return group.map((append) => write(tx, append, bodies));
}

export function findRecorded(connection: Connection, scope: string, key: string): Recorded | undefined {
  return connection.get<Recorded>(SELECT_RECORDED, scope, key);
}

function judge(tx: Transaction, append: Append, ahead: Ahead): Appended | undefined {
  const { run, dedupe, fence, expected } = append;
  const recorded = dedupe && findRecorded(tx.connection, dedupe.scope, dedupe.key);
  if (recorded) {
    return recorded.payload === dedupe.payload ? { type: 'repeated', answer: recorded.answer } : { type: 'key-reused' };
  }
  const stored = ahead.has(run) ? undefined : tx.known.get(run);
  const { version, epoch } = ahead.get(run) ?? stored ?? { version: 0, epoch: 0 };
  if (fence !== undefined && fence !== epoch) return { type: 'fenced', epoch };
  if (version !== expected) return { type: 'conflict', version };
  checkContinues(append, stored);
  ahead.set(run, { version: version + append.events.length, epoch: version === 0 && append.owner ? 1 : epoch });
  return undefined;
}

/** Nothing is wrong with this one, but another of its group was refused. */
function withheld(tx: Transaction, append: Append | undefined): Appended {
  return { type: 'conflict', version: (append && tx.known.get(append.run)?.version) ?? 0 };
}

/** These can only be wrong through a bug of the caller; stored, they would break the chain for ever. */
function checkContinues({ run, expected, prev, events }: Append, stored: Standing | undefined): void {
  if (stored && stored.head !== prev) throw new BatonError('INTERNAL', `events of run ${run} follow another head`);
  for (const [index, { seq, actor, key }] of events.entries()) {
    if (seq !== expected + 1 + index) throw new BatonError('INTERNAL', `event ${seq} of run ${run} is out of order`);
    // The driver cuts text at a NUL when it is read; what is hashed must come back as it was.
    if (`${run}${actor}${key}`.includes('\0')) throw new BatonError('SCHEMA_INVALID', 'a NUL in a name or key');
  }
}

function write(tx: Transaction, append: Append, bodies: StoredBodies): Appended {
  const { connection, journal, known } = tx;
  const { run, dedupe, events } = append;
  const version = append.expected + events.length;
  let standing = known.get(run);
  if (events.length > 0) {
    standing = writeRun(connection, append, standing);
    known.set(run, standing);
    journal.write(append, standing.id);
    writeInbox(connection, append);
  }
  writeBodies(tx, append, standing?.id, bodies);
  if (dedupe) {
    const { scope, key, payload, answer } = dedupe;
    connection.run(
      INSERT_RECORDED,
      scope,
      key,
      payload,
      run,
      version,
      answer,
      events.at(-1)?.at ?? new Date().toISOString(),
    );
  }
  return { type: 'appended', version, position: journal.position };
}
