import type { RecoveryPoint } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import type { EventStore, RunId } from '../ports.js';
import { jobEvents } from '../projections/job-events.js';

/** A recovery point of a job, also one that its state has not kept: that one is looked for in the log. */
export async function findPoint(
  store: Pick<EventStore, 'events'>,
  run: RunId,
  { points, pointsTaken }: Pick<LiveJob, 'points' | 'pointsTaken'>,
  id: string,
): Promise<RecoveryPoint | undefined> {
  const kept = points.find((point) => point.id === id);
  if (kept || pointsTaken === points.length) return kept;
  for await (const { event } of jobEvents(store, run)) {
    if (event.type === 'PointTaken' && event.point.id === id) return event.point;
  }
  return undefined;
}
