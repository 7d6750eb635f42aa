import type { JobEvent } from '../../core/job/job-messages.js';
import type { EventRow, EventStore, RunId } from '../ports.js';

const PAGE = 500;

/** The events of a job behind a sequence number, page by page. */
export async function* jobEvents(
  store: Pick<EventStore, 'events'>,
  run: RunId,
  after = 0,
): AsyncGenerator<{ seq: number; event: JobEvent }> {
  for (let seq = after; ; ) {
    const rows = await store.events(run, seq, PAGE);
    for (const row of rows) yield { seq: row.seq, event: eventIn(row) };
    seq = rows.at(-1)?.seq ?? seq;
    if (rows.length < PAGE) return;
  }
}

/** What is stored under a job was written by its machine. */
function eventIn({ type, data }: EventRow): JobEvent {
  return { ...JSON.parse(data), type };
}
