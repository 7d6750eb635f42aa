import type { PhaseThread } from '../../core/job/job-order.js';
import type { EventStore, RunId } from '../ports.js';
import { jobEvents } from '../projections/job-events.js';

/** By phase, the conversation of a job at one of its recovery points, and when its last turn before that had ended. */
export async function threadsAt(
  store: Pick<EventStore, 'events'>,
  run: RunId,
  point: string,
): Promise<Record<string, PhaseThread>> {
  const threads: Record<string, PhaseThread> = {};
  let asked = { phase: '', agent: '' };
  for await (const { event } of jobEvents(store, run)) {
    // A fork that has not asked for itself yet stands where the other one stood.
    if (event.type === 'JobSubmitted') Object.assign(threads, event.order.forkedFrom?.threads);
    else if (event.type === 'HandoffAsked') asked = event;
    else if ((event.type === 'HandoffAnswered' || event.type === 'HandoffEnded') && event.thread !== undefined) {
      threads[asked.phase] = { run, agent: asked.agent, thread: event.thread, untilMs: event.atMs };
    } else if (event.type === 'PointTaken' && event.point.id === point) break;
  }
  return threads;
}
