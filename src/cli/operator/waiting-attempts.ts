import type { Desk } from '../../engine/desk.js';
import type { InboxRow } from '../../engine/ports.js';

const LOOK_MS = 1_000;
const ITEMS_MAX = 1_000;
/** Once may be a moment in which somebody is just answering. */
const LOOKS_IN_A_ROW = 2;

/** Tells of agents of a ledger that wait for a person, each once; calls when nobody else is at work. */
export function watchWaiting(
  { inbox, operator, clock }: Pick<Desk, 'inbox' | 'operator' | 'clock'>,
  run: string,
  { onWaits, onAllWait }: { onWaits(item: InboxRow, task: string): void; onAllWait(): void },
): () => void {
  const told = new Set<number>();
  let [over, inARow] = [false, 0];
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    const items = (await inbox.open(0, ITEMS_MAX)).filter((item) => item.run.startsWith(`${run}.`));
    for (const item of items) {
      if (told.has(item.item)) continue;
      told.add(item.item);
      onWaits(item, item.run.slice(run.length + 1).replace(/\.\d+$/, ''));
    }
    const waiting = new Set(items.map((item) => item.run));
    const isAll = waiting.size > 0 && (await allWait(waiting));
    inARow = isAll ? inARow + 1 : 0;
    if (inARow >= LOOKS_IN_A_ROW && !over) onAllWait();
  };
  const allWait = async (waiting: ReadonlySet<string>): Promise<boolean> => {
    const active = (await operator.object(run)).tasks.filter(({ status }) => status === 'in_progress');
    return active.every(({ task_id, attempt }) => waiting.has(`${run}.${task_id}.${attempt}`));
  };
  const again = (): void => {
    if (!over)
      cancel = clock.after(
        LOOK_MS,
        () =>
          void look()
            .catch(() => undefined)
            .finally(again),
      );
  };
  again();
  return () => {
    over = true;
    cancel();
  };
}
