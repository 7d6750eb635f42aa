import { type ComponentType, useRef, useState } from 'react';
import type { InboxItem, Run } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { Space } from './row-parts.js';
import { useCardsOf } from './use-cards.js';
import { useRowKeys } from './use-row-keys.js';
import { IS_SMALL, useWindow } from './use-window.js';

export type Column = { name: string; className: string };
export type CardRowProps<Card> = {
  run: Run;
  card: Card | undefined;
  item: InboxItem | undefined;
  index: number;
  isSelected: boolean;
};

type Props<Card> = {
  kind: string;
  /** The address that rows lead to, without the run. */
  base: string;
  columns: readonly Column[];
  runs: readonly Run[];
  load: (ids: readonly string[]) => Promise<{ items: readonly Card[] }>;
  Row: ComponentType<CardRowProps<Card>>;
};

/** Runs of one kind with what their cards say. Only the rows near the window are drawn; all have the same height. */
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
  const shown = columns.filter(({ className }) => !IS_SMALL || !className.includes('hide-s')).length;
  return (
    <div className="card">
      <table ref={table} className="runs fix" aria-rowcount={runs.length + 1}>
        <thead>
          <tr>
            {columns.map(({ name, className }) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} columns={shown} />
          {drawn.map((run, index) => (
            <Row
              key={run.run_id}
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
