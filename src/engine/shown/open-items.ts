import type { EventStore } from '../ports.js';

const PAGE = 1_000;

/** Which item of the inbox each run waits for; the oldest, where there are several. */
export async function openItems(store: Pick<EventStore, 'inbox'>): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let after = 0; ; ) {
    const rows = await store.inbox({ open: true, after, limit: PAGE });
    for (const { run, item } of rows) if (!found.has(run)) found.set(run, item);
    if (rows.length < PAGE) return found;
    after = rows.at(-1)?.item ?? after;
  }
}
