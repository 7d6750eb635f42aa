import { useEffect, useRef, useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { focusIfLost, isTyping } from '../frame/use-keys.js';
import { useLive } from '../live/live-context.js';
import { CommandLine } from '../parts/command-line.js';
import { BulkView } from './bulk-view.js';
import { ItemList } from './item-list.js';
import { ItemRail } from './item-rail.js';
import { ItemView } from './item-view.js';
import { kindWord } from './item-words.js';
import { useMarks } from './use-marks.js';
import { type Row, useRows } from './use-rows.js';

export function InboxPage({ item: chosen }: { item: number | null }) {
  const { items } = useLive();
  const [kind, setKind] = useState('');
  const { rows: all, answered } = useRows(items);
  const rows = all.filter(({ item }) => kind === '' || kindWord(item) === kind);
  // Once looked at it stays, also when it is answered: whoever presses the key again means nothing else by it.
  const looked = useRef<number | null>(null);
  const wanted = chosen ?? looked.current;
  const selected =
    rows.find(({ item }) => item.item === wanted) ?? rows.find(({ outcome }) => outcome === null) ?? rows[0];
  looked.current = selected?.item.item ?? null;
  useMoving(rows, selected);
  const marks = useMarks(rows, selected);
  if (items === null) return <Waiting />;
  if (all.length === 0) return <NothingWaits />;
  const bulk = marks.items.length > 1;
  return (
    <div className={`inbox ${chosen === null && !bulk ? 'list' : ''}`}>
      <h1 className="vh">Inbox</h1>
      <ItemList {...{ rows, marks, kind, setKind }} kinds={kindsOf(all)} selected={selected?.item.item ?? null} />
      <div className="asks">
        {bulk ? (
          <BulkView items={marks.items} onDrop={marks.clear} onAnswered={answered} />
        ) : (
          selected && (
            <ItemView
              key={selected.item.item}
              row={selected}
              onAnswered={(said) => {
                answered(selected.item.item, said);
                focusIfLost(document.querySelector<HTMLElement>('.ilist .items'), document.querySelector('.answer'));
              }}
            />
          )
        )}
      </div>
      {selected && !bulk && <ItemRail item={selected.item} />}
    </div>
  );
}

function kindsOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ item }) => kindWord(item)))];
}

function useMoving(rows: readonly Row[], selected: Row | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined) return;
      const at = rows.findIndex(({ item }) => item.item === selected?.item.item);
      const next = rows[at + step];
      if (next) show(next.item);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rows, selected]);
}

function show({ item }: InboxItem): void {
  goTo(`/inbox/${item}`, { replace: true });
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
