import type { JobService } from '../job/job-service.js';
import type { EventStore } from '../ports.js';
import { HistoryFold } from '../projections/history-fold.js';
import { jobEvents } from '../projections/job-events.js';
import { manifestEntry, manifestOf } from '../projections/job-manifest.js';

/** From the store, never from the file; `until` is the last event that counts. */
export async function manifestIn(store: EventStore, jobs: JobService, run: string, until = Number.POSITIVE_INFINITY) {
  const fold = new HistoryFold();
  const entries: ReturnType<typeof manifestEntry>[] = [];
  for await (const { event, seq } of jobEvents(store, run)) {
    if (seq > until) break;
    fold.add(event);
    entries.push(...fold.take().map(manifestEntry));
  }
  const { workspace } = await jobs.show(run);
  return manifestOf(run, fold.live, entries, { workspaceOf: () => workspace });
}
