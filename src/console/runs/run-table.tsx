import { useEffect, useRef, useState } from 'react';
import type { InboxItem, JobCard, Run } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Link } from '../frame/link.js';
import { isTyping } from '../frame/use-keys.js';
import { questionOf } from '../inbox/item-words.js';
import { useLive } from '../live/live-context.js';
import { Changed } from '../parts/changed.js';
import { dollars, span } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf, StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { useCards } from './use-cards.js';
import { IS_SMALL, ROW_PX, useWindow } from './use-window.js';

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

const ASKED: Readonly<Record<string, string>> = {
  ...{ approval: 'Approval', intervention: 'Intervention', protected: 'Protected', limit: 'Limit' },
  ...{ exec_approval: 'Command', patch_approval: 'Patch', login: 'Login', landing: 'Landing', blocker: 'Blocker' },
};

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
          <Space rows={first} />
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
          <Space rows={runs.length - last} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr>
      <td colSpan={SHOWN} className="space" style={{ height: rows * ROW_PX }} />
    </tr>
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
          <State run={run} item={item} />
        </Changed>
      </td>
      <td>
        <div className="run-name">
          <Link to={to} className="el">
            <Words text={run.title ?? run.run_id} className="b" />
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

/** Where a person is asked, what for. */
function State({ run, item }: { run: Run; item: InboxItem | undefined }) {
  const kind = item && ASKED[item.kind];
  if (kind === undefined || run.status.startsWith('HALTED')) {
    return <StatusMark status={run.status} waits={run.waiting_for !== null} />;
  }
  return (
    <span className="st you">
      <Glyph glyph="diamond" tone="you" />
      {kind}
    </span>
  );
}

function You({ item }: { item: InboxItem }) {
  return (
    <span className="you">
      You: <Words text={questionOf(item)} />
    </span>
  );
}

function smallWords(run: Run, now: string): string {
  const { word } = lookOf(run.status);
  return now === '' ? word : `${word}, ${now}`;
}

function useRowKeys(
  table: { current: HTMLTableElement | null },
  runs: readonly Run[],
  at: number,
  setAt: (at: number) => void,
  base: string,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step !== undefined) {
        const next = Math.min(runs.length - 1, Math.max(0, at + step));
        setAt(next);
        scrollTo(table.current, next);
      }
      const run = runs[at];
      if (event.key === 'Enter' && run && event.target === document.body) {
        goTo(`${base}/${encodeURIComponent(run.run_id)}`);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [table, runs, at, setAt, base]);
}

/** So far that the row is seen, and no further. */
function scrollTo(table: HTMLTableElement | null, row: number): void {
  const main = document.getElementById('main');
  if (!main || !table) return;
  const head = table.tHead?.offsetHeight ?? 0;
  const top = table.getBoundingClientRect().top - main.getBoundingClientRect().top + head + row * ROW_PX;
  if (top < head) main.scrollTop += top - head;
  else if (top + ROW_PX > main.clientHeight) main.scrollTop += top + ROW_PX - main.clientHeight;
}
