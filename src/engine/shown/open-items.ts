import type { EventStore, InboxRow } from '../ports.js';

const PAGE = 1_000;

/** Which item of the inbox each run waits for; the oldest, where there are several. */
export async function openItems(store: Pick<EventStore, 'inbox'>): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { run, item } of allOpen(store)) if (!found.has(run)) found.set(run, item);
  return found;
}

/** Those of one run. */
export async function itemsOf(store: Pick<EventStore, 'inbox'>, run: string): Promise<readonly InboxRow[]> {
  const items: InboxRow[] = [];
  for await (const item of allOpen(store)) if (item.run === run) items.push(item);
  return items;
}

async function* allOpen(store: Pick<EventStore, 'inbox'>): AsyncGenerator<InboxRow> {
  for (let after = 0; ; ) {
    const rows = await store.inbox({ open: true, after, limit: PAGE });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.item ?? after;
  }
}
