import type { Claim, RunId, WorkerId } from '../../engine/ports.js';
import type { BeatWatch } from './beat-watch.js';
import type { Connection } from './connection.js';
import type { WorkerLocks } from './worker-locks.js';
import type { ClaimWhich } from './write-tasks.js';

/**
 * C1 A run is taken from nobody, from a dead worker, or from a silent one; never from another live one.
 * C2 Who is dead is found out before the transaction (a dead worker stays dead); that a silent one is still silent is
 *    seen again inside it.
 * C3 All searches go by owner through an index of owing or waking runs: finished runs cost nothing.
 */
export type Takeable = { dead: readonly WorkerId[]; silent: ReadonlyMap<WorkerId, number> };
export type Liveness = { locks: WorkerLocks; beats: BeatWatch };

type Candidate = { id: number; run_id: RunId; kind: string; epoch: number; owner: WorkerId | null };

const OWNERS_MAX = 1_000;
const COLUMNS = 'id, run_id, kind, epoch, owner';
const OWING = `SELECT ${COLUMNS} FROM run WHERE owner IS ? AND owes = 1 ORDER BY id LIMIT ?`;
/** A dead or silent owner may have left something running even where nothing is owed any more. */
const LEFT = `SELECT ${COLUMNS} FROM run WHERE owner = ? ORDER BY id LIMIT ?`;
const WAKING = `SELECT ${COLUMNS} FROM run WHERE owner IS ? AND wake_at <= ? ORDER BY wake_at LIMIT ?`;
const NAMED = `SELECT ${COLUMNS} FROM run WHERE run_id = ?`;
/** The next owner in the order of the index, so that an owner of many runs costs one step. */
const NEXT_OWNER = 'SELECT min(owner) AS owner FROM run WHERE owner > ?';
const TAKE = `UPDATE run SET owner = ?, host = (SELECT host FROM worker WHERE id = ?), epoch = epoch + 1
  WHERE id = ? AND epoch = ?`;

export function findTakeable(connection: Connection, { locks, beats }: Liveness, which: ClaimWhich): Takeable {
  const workers = connection.all<{ id: WorkerId; beat: number }>('SELECT id, beat FROM worker');
  const silent = beats.silent(workers, which.observedMs);
  const owners = ownersOf(connection, which.run).filter((owner) => owner !== which.worker);
  const dead = owners.filter((owner) => locks.isDead(owner));
  return { dead, silent: new Map([...silent].filter(([owner]) => owner !== which.worker)) };
}

export function claimRuns(connection: Connection, which: ClaimWhich, takeable: Takeable): Claim[] {
  const from = [null, ...takeable.dead, ...stillSilent(connection, takeable)];
  const candidates =
    which.run === undefined
      ? search(connection, which, from)
      : // Also from itself: a worker may have forgotten what it owns.
        named(connection, which.run, [...from, which.worker]);
  return candidates
    .filter(({ id, epoch }) => connection.run(TAKE, which.worker, which.worker, id, epoch) === 1)
    .map(({ run_id, kind, epoch, owner }) => ({ run: run_id, kind, epoch: epoch + 1, previousOwner: owner }));
}

function search(connection: Connection, which: ClaimWhich, from: readonly (WorkerId | null)[]): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const owner of from) {
    const due = owner === null ? OWING : LEFT;
    for (const run of connection.all<Candidate>(due, owner, which.limit)) found.set(run.id, run);
    for (const run of connection.all<Candidate>(WAKING, owner, which.nowMs, which.limit)) found.set(run.id, run);
    if (found.size >= which.limit) break;
  }
  return [...found.values()].slice(0, which.limit);
}

function named(connection: Connection, run: RunId, from: readonly (WorkerId | null)[]): Candidate[] {
  return connection.all<Candidate>(NAMED, run).filter(({ owner }) => from.includes(owner));
}

function stillSilent(connection: Connection, { silent }: Takeable): WorkerId[] {
  return [...silent].flatMap(([worker, beat]) => {
    const now = connection.get<{ beat: number }>('SELECT beat FROM worker WHERE id = ?', worker);
    return now?.beat === beat ? [worker] : [];
  });
}

function ownersOf(connection: Connection, run: RunId | undefined): WorkerId[] {
  if (run !== undefined) return connection.all<Candidate>(NAMED, run).flatMap(({ owner }) => owner ?? []);
  return listOwners(connection, NEXT_OWNER);
}

function listOwners(connection: Connection, nextOwner: string): WorkerId[] {
  const owners: WorkerId[] = [];
  for (let last = ''; owners.length < OWNERS_MAX; ) {
    const next = connection.get<{ owner: WorkerId | null }>(nextOwner, last)?.owner;
    if (next === null || next === undefined) break;
    owners.push(next);
    last = next;
  }
  return owners;
}
