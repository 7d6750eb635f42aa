import { type ComponentType, useRef, useState } from 'react';
import type { InboxItem, Run } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { type Column, Heads, Space, shownOf } from './row-parts.js';
import { useCardsOf } from './use-cards.js';
import { useRowKeys } from './use-row-keys.js';
import { useWindow } from './use-window.js';

export type CardRowProps<Card> = {
  /** The address that rows lead to, without the run. */
  base: string;
  run: Run;
  card: Card | undefined;
  item: InboxItem | undefined;
  index: number;
  isSelected: boolean;
};

type Props<Card> = Pick<CardRowProps<Card>, 'base'> & {
  /** Runs of this kind have cards. */
  kind: string;
  columns: readonly Column[];
  runs: readonly Run[];
  load: (ids: readonly string[]) => Promise<{ items: readonly Card[] }>;
  Row: ComponentType<CardRowProps<Card>>;
};

/** Runs with what their cards say. Only the rows near the window are drawn; all have the same height. */
export function CardTable<Card extends { run_id: string; version: number }>({
  kind,
  base,
  columns,
  runs,
  load,
  Row,
}: Props<Card>) {
  const table = useRef<HTMLTableElement>(null);
  const { first, last } = useWindow(table, runs.length);
  const [at, setAt] = useState(-1);
  useRowKeys(table, runs, at, setAt, base);
  const drawn = runs.slice(first, last);
  const cards = useCardsOf(kind, drawn, load);
  const { items } = useLive();
  const shown = shownOf(columns);
  return (
    <div className="card">
      <table ref={table} className="runs fix" aria-rowcount={runs.length + 1}>
        <Heads columns={columns} />
        <tbody>
          <Space rows={first} columns={shown} />
          {drawn.map((run, index) => (
            <Row
              key={run.run_id}
              base={base}
              run={run}
              card={cards.get(run.run_id)}
              item={run.waiting_for === null ? undefined : items?.find(({ item }) => item === run.waiting_for)}
              index={first + index}
              isSelected={first + index === at}
            />
          ))}
          <Space rows={runs.length - last} columns={shown} />
        </tbody>
      </table>
    </div>
  );
}
