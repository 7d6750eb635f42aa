import type { EventStore, RunId } from '../ports.js';
import { jobEvents } from '../projections/job-events.js';

/** Whether a job has asked an agent again since a time: then the agent knows more than it did, or is at work now. */
export async function askedSince(
  store: Pick<EventStore, 'events'>,
  { run, agent, sinceMs }: { run: RunId; agent: string; sinceMs: number },
): Promise<boolean> {
  for await (const { event } of jobEvents(store, run)) {
    if (event.type === 'HandoffAsked' && event.agent === agent && event.atMs >= sinceMs) return true;
  }
  return false;
}
