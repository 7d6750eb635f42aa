import { useEffect, useMemo, useRef, useState } from 'react';
import { isTyping } from '../frame/use-keys.js';
import { useLive } from '../live/live-context.js';
import { Changed } from '../parts/changed.js';
import { grouped, span } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type Column, Heads, Space, shownOf } from '../runs/row-parts.js';
import { useWindow } from '../runs/use-window.js';
import { type BoardTask, inStateOrder } from './board-task.js';

const COLUMNS: readonly Column[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Task', className: '' },
  { name: 'Needs', className: 'c-needs hide-s' },
  { name: 'Accepted', className: 'c-num' },
  { name: 'May write', className: 'c-path hide-s' },
  { name: 'Heartbeat', className: 'c-num r hide-s' },
  { name: 'Time', className: 'c-num r hide-s' },
];
const SHOWN = shownOf(COLUMNS);

type Props = { tasks: readonly BoardTask[]; chosen: string | null; onChoose(task: string): void };

/** By state. Rows change in place; where they stand changes only when it is asked for. */
export function LedgerTable({ tasks, chosen, onChoose }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const { rows, pending, sort } = useOrder(tasks);
  const { first, last } = useWindow(table, rows.length);
  useTaskKeys(rows, chosen, onChoose, sort);
  return (
    <>
      <table ref={table} className="runs ledger fix" aria-rowcount={rows.length + 1}>
        <Heads columns={COLUMNS} />
        <tbody>
          <Space rows={first} columns={SHOWN} />
          {rows.slice(first, last).map((task, index) => (
            <Row
              key={task.task_id}
              task={task}
              at={first + index}
              chosen={task.task_id === chosen}
              onChoose={onChoose}
            />
          ))}
          <Space rows={rows.length - last} columns={SHOWN} />
        </tbody>
      </table>
      {pending > 0 && (
        <p className="in sm t2">
          <button type="button" className="btn s" onClick={sort}>
            <b>{grouped(pending)} changed order</b>
            <kbd>.</kbd>
          </button>
        </p>
      )}
    </>
  );
}

type RowProps = { task: BoardTask; at: number; chosen: boolean; onChoose(task: string): void };

function Row({ task, at, chosen, onChoose }: RowProps) {
  const { status, task_id, title, criteria, lock_scope, dependencies, heartbeat_at } = task;
  const [path = '', ...more] = lock_scope;
  return (
    <tr className={chosen ? 'sel' : ''} aria-rowindex={at + 2} onClick={() => onChoose(task_id)}>
      <td>
        <Changed value={status}>
          <StatusMark status={status} />
        </Changed>
      </td>
      <td>
        <div className="run-name">
          <button
            type="button"
            className="linklike plainlink el"
            aria-pressed={chosen}
            onClick={() => onChoose(task_id)}
          >
            <Words text={task_id} className="m" /> <Words text={title} className="b" />
          </button>
        </div>
        <span className="only-s sm second t2">
          <Words text={smallWords(task)} />
        </span>
      </td>
      <td className="m t2 el hide-s">
        <Words text={dependencies.join(' ')} />
      </td>
      <td className="t2 nw">
        <Changed value={criteria.proven}>
          {criteria.proven} of {criteria.of}
        </Changed>
      </td>
      <td className="m t2 el hide-s">
        <Words text={more.length > 0 ? `${path} +${more.length}` : path} />
      </td>
      <td className="num t2 hide-s">{heartbeat_at !== null && <Ago at={heartbeat_at} />}</td>
      <td className="num t2 hide-s">
        <Worked task={task} />
      </td>
    </tr>
  );
}

function smallWords({ status, owner, waits_for, code }: BoardTask): string {
  if (status === 'todo' && waits_for.length > 0) return `after ${waits_for.map(({ task_id }) => task_id).join(', ')}`;
  return code !== null && status !== 'done' ? code : owner;
}

function Worked({ task: { attempts } }: { task: BoardTask }) {
  const { nowMs } = useLive();
  if (attempts.length === 0) return null;
  const ms = attempts.reduce((sum, { from, to }) => sum + (to === null ? nowMs : Date.parse(to)) - Date.parse(from), 0);
  return span(ms);
}

function useOrder(tasks: readonly BoardTask[]): { rows: readonly BoardTask[]; pending: number; sort(): void } {
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const wanted = useMemo(() => inStateOrder(tasks), [tasks]);
  // As it was when it was first seen; what is new stands at the end.
  useEffect(() => setOrder((kept) => kept ?? (wanted.length > 0 ? wanted : null)), [wanted]);
  return useMemo(() => {
    const byId = new Map(tasks.map((task) => [task.task_id, task]));
    const kept = order ?? wanted;
    const known = new Set(kept);
    const all = [...kept, ...wanted.filter((id) => !known.has(id))];
    return {
      rows: all.flatMap((id) => byId.get(id) ?? []),
      pending: all.filter((id, index) => wanted[index] !== id).length,
      sort: () => setOrder(wanted),
    };
  }, [tasks, order, wanted]);
}

function useTaskKeys(
  rows: readonly BoardTask[],
  chosen: string | null,
  onChoose: (task: string) => void,
  sort: () => void,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.key === '.') sort();
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined || rows.length === 0) return;
      const at = rows.findIndex(({ task_id }) => task_id === chosen);
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
      if (next) onChoose(next.task_id);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rows, chosen, onChoose, sort]);
}
