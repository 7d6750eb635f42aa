import type { EventStore } from '../ports.js';
import { jobEvents } from '../projections/job-events.js';

export type AskedAttempt = { handoff: string; attempt: number };

/** Every attempt of a job or a task in which an agent was asked, the oldest first. */
export async function askedAttempts(store: EventStore, run: string): Promise<readonly AskedAttempt[]> {
  const asked: AskedAttempt[] = [];
  for await (const { event } of jobEvents(store, run)) {
    if (event.type === 'HandoffAsked') asked.push({ handoff: event.handoff, attempt: event.attempt });
  }
  return asked;
}
