import { useEffect, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Link } from '../frame/link.js';
import { isTyping } from '../frame/use-keys.js';
import { questionOf } from '../inbox/item-words.js';
import { useLive } from '../live/live-context.js';
import { dollars, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { lookOf, StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';

/** As in the style sheets: one line, or two on small screens. */
const ROW = matchMedia('(max-width: 720px)').matches ? 56 : 34;
const AROUND = 20;

/** Only the rows near the window are drawn; all have the same height. */
export function RunTable({ runs }: { runs: readonly Run[] }) {
  const table = useRef<HTMLTableElement>(null);
  const { first, last } = useWindow(table, runs.length);
  const [at, setAt] = useState(-1);
  useRowKeys(runs, at, setAt);
  return (
    <div className="card">
      <table ref={table} className="runs fix">
        <thead>
          <tr>
            <th scope="col" className="c-state">
              State
            </th>
            <th scope="col">Run</th>
            <th scope="col" className="c-kind hide-s">
              Kind
            </th>
            <th scope="col" className="c-agent hide-s">
              Agent
            </th>
            <th scope="col" className="hide-s">
              Now
            </th>
            <th scope="col" className="c-num r hide-s">
              Tokens
            </th>
            <th scope="col" className="c-num r">
              Cost
            </th>
            <th scope="col" className="c-num r">
              Changed
            </th>
          </tr>
        </thead>
        <tbody>
          <Space rows={first} />
          {runs.slice(first, last).map((run, index) => (
            <Row key={run.run_id} run={run} selected={first + index === at} />
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
      <td colSpan={8} className="space" style={{ height: rows * ROW }} />
    </tr>
  );
}

function Row({ run, selected }: { run: Run; selected: boolean }) {
  const { items } = useLive();
  const item = items?.find(({ item }) => item === run.waiting_for);
  return (
    <tr className={selected ? 'sel' : ''}>
      <td>
        <StatusMark status={run.status} waits={run.waiting_for !== null} />
      </td>
      <td className="el">
        <Link to={`/runs/${encodeURIComponent(run.run_id)}`}>
          <Words text={run.title ?? run.run_id} className="b" /> <Words text={run.run_id} className="m t3 hide-s" />
        </Link>
        <span className="only-s sm second">
          {item ? (
            <span className="you">
              You: <Words text={questionOf(item)} />
            </span>
          ) : (
            <span className="t2">{lookOf(run.status).word}</span>
          )}
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
          <Link to={`/inbox/${item.item}`} className="you">
            You: <Words text={questionOf(item)} />
          </Link>
        ) : (
          <Words text={run.waits_for ?? ''} className="t2" />
        )}
      </td>
      <td className="num t2 hide-s">{tokens(run.metrics.tokens)}</td>
      <td className="num">{dollars(run.metrics.cost_usd)}</td>
      <td className="num t3">
        <Ago at={run.updated_at} />
      </td>
    </tr>
  );
}

function useWindow(table: { current: HTMLTableElement | null }, count: number): { first: number; last: number } {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const main = document.getElementById('main');
    const look = (): void => {
      const from = (main?.getBoundingClientRect().top ?? 0) - (table.current?.getBoundingClientRect().top ?? 0);
      setTop(Math.max(0, Math.floor(from / ROW / AROUND) * AROUND));
    };
    main?.addEventListener('scroll', look, { passive: true });
    return () => main?.removeEventListener('scroll', look);
  }, [table]);
  const visible = Math.ceil(innerHeight / ROW);
  const first = Math.min(Math.max(0, top - AROUND), count);
  return { first, last: Math.min(count, top + visible + 2 * AROUND) };
}

function useRowKeys(runs: readonly Run[], at: number, setAt: (at: number) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step !== undefined) setAt(Math.min(runs.length - 1, Math.max(0, at + step)));
      const run = runs[at];
      if (event.key === 'Enter' && run && event.target === document.body) {
        goTo(`/runs/${encodeURIComponent(run.run_id)}`);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [runs, at, setAt]);
}
