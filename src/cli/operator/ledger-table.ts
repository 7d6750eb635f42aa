import picocolors from 'picocolors';
import type { TaskStatus } from '../../core/ledger/task-status.js';
import { grouped } from '../grouped-number.js';
import { printable } from '../printable.js';
import { cell, cellsOf, wrapCells } from './cells.js';
import { shortTime } from './short-time.js';
import { type BoardTask, taskNote } from './task-note.js';
import type { ViewStyle } from './view-style.js';

/** What is over first, what needs somebody last: that stands nearest to the prompt. */
const ORDER: readonly TaskStatus[] = ['done', 'canceled', 'in_progress', 'todo', 'blocked', 'failed'];
const COLOURS = {
  done: 'green',
  in_progress: 'cyan',
  blocked: 'red',
  failed: 'red',
  todo: 'dim',
  canceled: 'dim',
} as const;
/** A ledger up to this long is shown whole. */
const WHOLE_MAX = 10;
/** How many of each state are shown of a longer one. */
const SHOWN_MAX: Readonly<Record<TaskStatus, number>> = {
  ...{ done: 2, canceled: 2, in_progress: 40, todo: 10, blocked: 20, failed: 20 },
};
const MORE: Readonly<Record<TaskStatus, string>> = {
  ...{ done: 'done', canceled: 'canceled', in_progress: 'at work', todo: 'wait', blocked: 'blocked', failed: 'failed' },
};
const ID_MAX = 8;
const STATE_WIDTH = 11;
const TIME_WIDTH = 5;
const NOTE_LEAST = 14;

type Group = { shown: readonly BoardTask[]; folded: number; status: TaskStatus };

/** In the order of states; what is left out of a long ledger is counted. */
export function groupsOf(tasks: readonly BoardTask[], all: boolean): Group[] {
  const byStatus = new Map<TaskStatus, BoardTask[]>(ORDER.map((status) => [status, []]));
  for (const one of tasks) byStatus.get(one.task.status)?.push(one);
  const whole = all || tasks.length <= WHOLE_MAX;
  return ORDER.map((status) => {
    const found = byStatus.get(status) ?? [];
    // To leave one out takes as much room as to show it.
    const shown = whole || found.length <= SHOWN_MAX[status] + 1 ? found : found.slice(0, SHOWN_MAX[status]);
    return { status, shown, folded: found.length - shown.length };
  });
}

type Columns = { id: number; title: number; owner: number; locks: number; note: number };

export function tableLines(groups: readonly Group[], nowMs: number, style: ViewStyle): string[] {
  const columns = columnsFor(
    groups.flatMap(({ shown }) => shown),
    style.width,
  );
  const { id, title, owner, locks } = columns;
  const colours = picocolors.createColors(style.colour);
  const painted = (status: TaskStatus): string => colours[COLOURS[status]](status);
  const head = [
    ...['TASK'.padEnd(id + 1 + title), 'STATE'.padEnd(STATE_WIDTH), 'OWNER'.padEnd(owner)],
    ...['LOCKS'.padEnd(locks), 'TIME'.padStart(TIME_WIDTH)],
  ];
  return [
    head.join('  '),
    ...groups.flatMap(({ shown, folded, status }) => [
      ...shown.flatMap((one) => rowLines(one, columns, { nowMs, width: style.width, painted })),
      ...(folded > 0 ? [`${'…'.padStart(id)} ${grouped(folded)} more ${MORE[status]}   (--all)`] : []),
    ]),
  ];
}

/** Each column as wide as its widest entry, as long as enough is left for the words at the end. */
function columnsFor(tasks: readonly BoardTask[], width: number): Columns {
  const widest = (text: (one: BoardTask) => string, least: number, most: number): number =>
    tasks.reduce((found, one) => Math.min(most, Math.max(found, cellsOf(text(one)))), least);
  const id = widest(({ task }) => task.task_id, 3, ID_MAX);
  const fixed = id + 1 + STATE_WIDTH + TIME_WIDTH + 5 * 2;
  const free = Math.max(30, width - fixed - NOTE_LEAST);
  const title = widest(({ task }) => printable(task.title), 8, Math.floor(free * 0.42));
  const owner = widest(({ task }) => printable(task.owner), 5, Math.floor(free * 0.24));
  const locks = widest(locksOf, 5, free - title - owner);
  return { id, title, owner, locks, note: Math.max(NOTE_LEAST, width - fixed - title - owner - locks) };
}

function locksOf({ task: { status, lock_scope } }: BoardTask): string {
  if (status === 'blocked' || status === 'failed' || status === 'canceled') return '–';
  const [first = '–', ...more] = lock_scope;
  return more.length === 0 ? printable(first) : `${printable(first)} +${more.length}`;
}

type Surroundings = { nowMs: number; width: number; painted: (status: TaskStatus) => string };

function rowLines(one: BoardTask, columns: Columns, { nowMs, width, painted }: Surroundings): string[] {
  const { task } = one;
  const { id, title, owner, locks, note } = columns;
  const line = [
    `${cell(task.task_id, id)} ${cell(task.title, title)}`,
    painted(task.status) + ' '.repeat(STATE_WIDTH - task.status.length),
    ...[cell(task.owner || '–', owner), cell(locksOf(one), locks), timeOf(one, nowMs).padStart(TIME_WIDTH)],
  ].join('  ');
  const words = taskNote(one, nowMs);
  const text = cellsOf(words.full) > note && cellsOf(words.short) <= note ? words.short : words.full;
  const indent = id + 1 + title + 2 + STATE_WIDTH + 2;
  const [first = '', ...rest] = wrapCells(text, width - indent, note);
  return [`${line}  ${first}`.trimEnd(), ...rest.map((part) => ' '.repeat(indent) + part)];
}

/** Time at work over all attempts. */
function timeOf({ row }: BoardTask, nowMs: number): string {
  if (row.attempts.length === 0) return '';
  const ms = row.attempts.reduce(
    (sum, { from, to }) => sum + (to === null ? nowMs : Date.parse(to)) - Date.parse(from),
    0,
  );
  return shortTime(Math.max(0, ms));
}
