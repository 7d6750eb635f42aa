import type { Run } from '../../client/index.js';
import { lookOf } from '../parts/status.js';

/** What a run is to a person who looks over all of them, the most urgent first. */
export const CLASSES = ['you', 'moving', 'queued', 'halted', 'failed', 'finished'] as const;
export type RunClass = (typeof CLASSES)[number];

/** A row is never changed, only replaced. */
const known = new WeakMap<Run, RunClass>();

export function classOf(run: Run): RunClass {
  const found = known.get(run) ?? look(run);
  known.set(run, found);
  return found;
}

function look(run: Run): RunClass {
  if (run.waiting_for !== null && lookOf(run.status).tone !== 'limit') return 'you';
  if (lookOf(run.status).tone === 'limit') return 'halted';
  if (lookOf(run.status).tone === 'bad') return 'failed';
  // A session waits for nothing but the next words.
  if (run.ended || (run.kind === 'session' && run.status === 'idle')) return 'finished';
  if (lookOf(run.status).tone === 'run') return 'moving';
  return run.status === 'INTERVENTION_REQUIRED' ? 'you' : 'queued';
}

/** Who waits is answered oldest first; of all others the last change comes first. */
export function byAttention(one: Run, other: Run): number {
  const [mine, theirs] = [classOf(one), classOf(other)];
  if (mine !== theirs) return CLASSES.indexOf(mine) - CLASSES.indexOf(theirs);
  // Items are numbered as they were asked; a run that waits may change for other reasons.
  if (mine === 'you' && one.waiting_for !== other.waiting_for) {
    return (one.waiting_for ?? Number.MAX_SAFE_INTEGER) - (other.waiting_for ?? Number.MAX_SAFE_INTEGER);
  }
  if (one.updated_at === other.updated_at) return one.run_id < other.run_id ? -1 : 1;
  return one.updated_at > other.updated_at ? -1 : 1;
}
