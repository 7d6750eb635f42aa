import { jobDecider } from '../../../core/job/job-decider.js';
import type { JobEvent } from '../../../core/job/job-messages.js';
import { type Job, type LiveJob, openQuestion, phaseNamed } from '../../../core/job/job-state.js';
import type { EventRow } from '../../ports.js';
import { type Attempt, beginRow, moveRow } from './relay-row.js';

/** A job as it was behind one of its events. Nothing in it changes any more: the next moment is another one. */
export type Moment = {
  seq: number;
  at: string;
  job: Job;
  /** How often it went from one status to another, by `FROM TO`. */
  moves: ReadonlyMap<string, number>;
  /** The attempt that was asked last. */
  row: Attempt | null;
  /** Since when it waits for a person. */
  waitsSinceMs: number | null;
};

export const BEGINNING: Moment = {
  ...{ seq: 0, at: '', job: jobDecider.initialState(), moves: new Map(), row: null, waitsSinceMs: null },
};

export function momentAfter(moment: Moment, stored: EventRow): Moment {
  const event = { ...JSON.parse(stored.data), type: stored.type } as JobEvent;
  const { seq, at } = stored;
  const before = moment.job;
  const after = jobDecider.evolve(before, event) as LiveJob;
  return {
    ...{ seq, at, job: after },
    moves: movedBy(moment, after),
    row: rowAfter(moment.row, event, stored, { before, after }),
    waitsSinceMs: openQuestion(after) === null ? null : (moment.waitsSinceMs ?? event.atMs),
  };
}

function movedBy({ moves, job: before }: Moment, { status }: LiveJob): Moment['moves'] {
  if (before.status === 'NEW' || before.status === status) return moves;
  const move = `${before.status} ${status}`;
  return new Map(moves).set(move, (moves.get(move) ?? 0) + 1);
}

function rowAfter(
  row: Attempt | null,
  event: JobEvent,
  stand: EventRow,
  { before, after }: { before: Job; after: LiveJob },
): Attempt | null {
  if (event.type === 'HandoffAsked') return beginRow(event, phaseNamed(after, event.phase)?.role ?? '', stand);
  if (row === null || before.status === 'NEW') return row;
  return moveRow(row, event, stand.seq, { before, after });
}

/** How an event is drawn among the others: a handoff, a failure, or nothing of note. */
export function markOf({ type, data }: EventRow): 'h' | 'x' | '.' {
  if (type === 'HandoffAsked') return 'h';
  if (type === 'WorkspaceFailed' || type === 'protocol_violation') return 'x';
  if (type === 'ChecksEnded') return /"exitCode":(?!0[,}])/.test(data) ? 'x' : '.';
  if (type !== 'HandoffEnded') return '.';
  const { response, cause } = JSON.parse(data) as Extract<JobEvent, { type: 'HandoffEnded' }>;
  return response === 'SUCCESS' || cause === 'asked' ? '.' : 'x';
}
