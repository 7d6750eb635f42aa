import type { Desk } from '../../engine/desk.js';
import type { EventRow } from '../../engine/ports.js';
import { Wakeups } from '../wakeups.js';

const PAGE = 200;

/** Everything that is written from now on, as it is written, until stopped; what is there at the end is told too. */
export async function tellAll(
  { store }: Pick<Desk, 'store'>,
  signal: AbortSignal,
  tell: (row: EventRow) => void,
): Promise<void> {
  const wakeups = new Wakeups(store, signal);
  let after = await store.position();
  try {
    for (let more = true; more; ) {
      more = !signal.aborted;
      for (let rows = await store.feed(after, PAGE); rows.length > 0; rows = await store.feed(after, PAGE)) {
        for (const row of rows) tell(row);
        after = rows.at(-1)?.position ?? after;
      }
      if (more) await wakeups.next();
    }
  } finally {
    wakeups.end();
  }
}
