import type { JobEvent } from '../../core/job/job-messages.js';
import type { Baton } from '../opened-baton.js';
import { jobEvents } from '../projections/job-events.js';
import { type HistoryObject, historyOf } from '../projections/job-history.js';

/** From the store, never from the file. */
export function historyIn(store: Baton['store'], run: string): Promise<HistoryObject> {
  return historyOf(run, eventsIn(store, run), { body: (sha256) => store.body(sha256) });
}

export async function* eventsIn(store: Baton['store'], run: string): AsyncGenerator<JobEvent> {
  for await (const { event } of jobEvents(store, run)) yield event;
}
