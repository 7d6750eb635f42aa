import { useRef, useState } from 'react';
import type { InboxItem, JobCard, Run } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { Changed } from '../parts/changed.js';
import { dollars, span } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { lookOf } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { RunState, Space, You } from './row-parts.js';
import { useCards } from './use-cards.js';
import { useRowKeys } from './use-row-keys.js';
import { IS_SMALL, useWindow } from './use-window.js';

const COLUMNS: readonly { name: string; className: string }[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Run', className: '' },
  { name: 'Kind', className: 'c-kind hide-s' },
  { name: 'Agent', className: 'c-agent hide-s' },
  { name: 'Now', className: 'c-now hide-s' },
  { name: 'Cost', className: 'c-cost r' },
  { name: 'of limit', className: 'c-meter hide-s' },
  { name: 'Active', className: 'c-num r hide-s' },
  { name: 'Changed', className: 'c-num r hide-s' },
];
/** Those that a small screen has. */
const SHOWN = COLUMNS.filter(({ className }) => !IS_SMALL || !className.includes('hide-s')).length;

/** Only the rows near the window are drawn; all have the same height. */
export function RunTable({ runs, base = '/runs' }: { runs: readonly Run[]; base?: string }) {
  const table = useRef<HTMLTableElement>(null);
  const { first, last } = useWindow(table, runs.length);
  const [at, setAt] = useState(-1);
  useRowKeys(table, runs, at, setAt, base);
  const drawn = runs.slice(first, last);
  const cards = useCards(drawn);
  const { items } = useLive();
  return (
    <div className="card">
      <table ref={table} className="runs fix" aria-rowcount={runs.length + 1}>
        <thead>
          <tr>
            {COLUMNS.map(({ name, className }) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} columns={SHOWN} />
          {drawn.map((run, index) => (
            <Row
              key={run.run_id}
              run={run}
              to={`${base}/${encodeURIComponent(run.run_id)}`}
              card={cards.get(run.run_id)}
              item={run.waiting_for === null ? undefined : items?.find(({ item }) => item === run.waiting_for)}
              index={first + index}
              selected={first + index === at}
            />
          ))}
          <Space rows={runs.length - last} columns={SHOWN} />
        </tbody>
      </table>
    </div>
  );
}

type RowProps = {
  run: Run;
  to: string;
  card: JobCard | undefined;
  item: InboxItem | undefined;
  index: number;
  selected: boolean;
};

function Row({ run, to, card, item, index, selected }: RowProps) {
  const { cost_usd: limit = 0 } = card?.limits ?? {};
  const { cost_usd: cost, seconds } = run.metrics;
  // What an earlier state said is not said of the present one.
  const now = card?.version === run.version ? card.now : (run.waits_for ?? '');
  return (
    <tr className={selected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={run.status}>
          <RunState run={run} item={item} />
        </Changed>
      </td>
      <td>
        <div className="run-name">
          <Link to={to} className="el">
            <Words text={run.title} className="b" />
          </Link>
          <Words text={run.run_id} className="m t3 el hide-s" />
        </div>
        <span className="only-s sm second">
          {item ? <You item={item} /> : <Words text={smallWords(run, now)} className="t2" />}
        </span>
      </td>
      <td className="t2 hide-s">
        <Words text={run.kind} />
      </td>
      <td className="t2 el hide-s">
        <Words text={run.agent ?? ''} />
      </td>
      <td className="el hide-s">
        {item ? (
          <Link to={`/inbox/${item.item}`}>
            <You item={item} />
          </Link>
        ) : (
          <Words text={now} className="t2" />
        )}
      </td>
      <td className="num">
        <Changed value={cost}>{dollars(cost)}</Changed>
        <span className="only-s t3 sm second">
          <Ago at={run.updated_at} />
        </span>
      </td>
      <td className="hide-s">{limit > 0 && <Meter used={cost} limit={limit} />}</td>
      <td className="num t2 hide-s">{seconds >= 1 ? span(seconds * 1_000) : ''}</td>
      <td className="num t3 hide-s">
        <Ago at={run.updated_at} />
      </td>
    </tr>
  );
}

function smallWords(run: Run, now: string): string {
  const { word } = lookOf(run.status);
  return now === '' ? word : `${word}, ${now}`;
}
