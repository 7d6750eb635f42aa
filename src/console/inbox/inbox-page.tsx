import { useEffect, useRef, useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';
import { useLive } from '../live/live-context.js';
import { CommandLine } from '../parts/command-line.js';
import { ItemList } from './item-list.js';
import { ItemRail } from './item-rail.js';
import { ItemView } from './item-view.js';

/** An answered item stays in its place, folded, until the page is left: nothing moves under the hand. */
export type Row = { item: InboxItem; outcome: string | null };

export function InboxPage({ item: chosen }: { item: number | null }) {
  const { items } = useLive();
  const rows = useRows(items);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, string>>(new Map());
  const shown = rows.map(({ item, gone }) => ({
    item,
    outcome: outcomes.get(item.item) ?? (gone ? 'Answered elsewhere' : null),
  }));
  // Once looked at it stays, also when it is answered: whoever presses the key again means nothing else by it.
  const looked = useRef<number | null>(null);
  const wanted = chosen ?? looked.current;
  const selected = shown.find(({ item }) => item.item === wanted) ?? shown.find(({ outcome }) => outcome === null);
  looked.current = selected?.item.item ?? null;
  useMoving(shown, selected);
  if (items === null) return <Waiting />;
  if (shown.length === 0) return <NothingWaits />;
  return (
    <div className={`inbox ${chosen === null ? 'list' : ''}`}>
      <h1 className="vh">Inbox</h1>
      <ItemList rows={shown} selected={selected?.item.item ?? null} />
      <div className="asks">
        {selected && (
          <ItemView
            key={selected.item.item}
            row={selected}
            onAnswered={(said) => setOutcomes((before) => new Map(before).set(selected.item.item, said))}
          />
        )}
      </div>
      {selected && <ItemRail item={selected.item} />}
    </div>
  );
}

/** New ones are added at the end, where the youngest belong; those that are over keep their place. */
function useRows(items: readonly InboxItem[] | null): readonly { item: InboxItem; gone: boolean }[] {
  const seen = useRef(new Map<number, InboxItem>());
  for (const item of items ?? []) seen.current.set(item.item, item);
  const open = new Set(items?.map(({ item }) => item));
  return [...seen.current.values()].map((item) => ({ item, gone: items !== null && !open.has(item.item) }));
}

function useMoving(rows: readonly Row[], selected: Row | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined) return;
      const at = rows.findIndex(({ item }) => item.item === selected?.item.item);
      const next = rows[at + step];
      if (next) goTo(`/inbox/${next.item.item}`, { replace: true });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rows, selected]);
}

function Waiting() {
  return (
    <div className="pad">
      <h1>Inbox</h1>
      <p className="t2">Reading what waits.</p>
    </div>
  );
}

function NothingWaits() {
  return (
    <div className="pad empty">
      <h1>Nothing waits for you</h1>
      <p className="t2">
        Questions of agents, results to approve and limits that were reached come here. Make a job that asks before it
        is done:
      </p>
      <CommandLine command={'baton run "Fix the failing test" --approve'} />
    </div>
  );
}
