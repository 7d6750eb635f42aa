/** A ledger for people: how it stands, its tasks, when each was worked on, and what to do next. */

import type { LedgerBoard, LedgerMetrics, LedgerTask } from '../../contracts/api/ledger-shapes.js';
import { age } from '../age.js';
import { counted, grouped } from '../grouped-number.js';
import { tokens } from '../job/amounts.js';
import { printable } from '../printable.js';
import { cellsOf, cut, wrapCells } from './cells.js';
import { ganttLines } from './gantt.js';
import { groupsOf, tableLines } from './ledger-table.js';
import { shortRun } from './short-run.js';
import { tasksOf } from './task-note.js';
import { inStyle, type ViewStyle } from './view-style.js';

const GANTT_ROWS_MAX = 20;
const GAP = 5;

export function ledgerLines(board: LedgerBoard, style: ViewStyle & { readonly all: boolean }): string[] {
  const nowMs = Date.parse(board.at);
  const groups = groupsOf(tasksOf(board), style.all);
  const shown = groups.flatMap((group) => group.shown);
  const label = shown.reduce((most, { task }) => Math.min(8, Math.max(most, task.task_id.length)), 4);
  const span = { fromMs: Date.parse(board.opened_at), toMs: Date.parse(board.rested_at ?? board.at) };
  const begun = shown.filter(({ row }) => row.attempts.length > 0);
  const gantt = ganttLines(style.all ? begun : begun.slice(-GANTT_ROWS_MAX), span, { label, width: style.width });
  return inStyle(
    [
      ...headLines(board, style.width),
      ...(shown.length === 0 ? ['', 'No task yet.'] : ['', ...tableLines(groups, nowMs, style)]),
      ...(gantt.length === 0 ? [] : ['', ...gantt]),
      '',
      ...closingLines(board, style.width),
    ],
    style,
  );
}

function headLines(board: LedgerBoard, width: number): string[] {
  const { ledger, cost_usd, tokens: used } = board;
  const state = `${shortRun(ledger.run_id)}   ${countWords(ledger.tasks)}`;
  const spent = cost_usd === 0 && used > 0 ? tokens(used) : `$${cost_usd.toFixed(2)}`;
  const took = age(board.opened_at, Date.parse(board.rested_at ?? board.at));
  const figures = `${spent}${' '.repeat(GAP)}${took}`;
  const objective = printable(board.objective);
  if (cellsOf(state) + GAP + figures.length <= width) {
    return [`${state}${' '.repeat(GAP)}${figures}`, cut(objective, width)];
  }
  const told = cut(objective, width - figures.length - GAP);
  return [...(cellsOf(state) <= width ? [state] : wrapCells(state, width)), `${told}${' '.repeat(GAP)}${figures}`];
}

function countWords(tasks: readonly LedgerTask[]): string {
  if (tasks.length === 0) return 'no tasks';
  const count = (status: LedgerTask['status']): number => tasks.filter((task) => task.status === status).length;
  const others: [number, string][] = [
    [count('in_progress'), 'active'],
    [count('blocked'), 'blocked'],
    [count('failed'), 'failed'],
    [count('canceled'), 'canceled'],
    [count('todo'), 'wait'],
  ];
  const words = others.filter(([number]) => number > 0).map(([number, word]) => `${grouped(number)} ${word}`);
  return [`${grouped(count('done'))} of ${grouped(tasks.length)} done`, ...words].join(' · ');
}

/** What has to happen next stands last, with how well it went so far. */
function closingLines(board: LedgerBoard, width: number): string[] {
  const metrics = metricWords(board.metrics);
  const line = [nextWords(board), metrics].filter((text) => text !== '').join('  ');
  const issues = board.issues.map(({ reason }) => `! ledger: ${printable(reason)}`);
  const closing =
    cellsOf(line) <= width ? [line] : [metrics, nextWords(board)].flatMap((text) => wrapCells(text, width));
  return [...issues.flatMap((text) => wrapCells(text, width)), ...closing];
}

function nextWords({ ledger, rows, branch }: LedgerBoard): string {
  const { status } = ledger;
  const id = shortRun(ledger.run_id);
  const items = rows.flatMap(({ item }) => (item === null ? [] : [item]));
  if (items.length === 1) return `Blocked needs you: baton inbox ${items[0]}.`;
  if (items.length > 1) return `${counted(items.length, 'blocker')} need you: baton inbox ${items[0]}.`;
  switch (status) {
    case 'done':
      return branch === null ? 'All tasks are done.' : `All tasks are done: git log ${printable(branch)}`;
    case 'failed':
      return `A task has failed: baton operator worklog ${id}`;
    case 'running':
      return `Under way; watch it: baton operator run ${id}`;
    case 'blocked':
      return `Nothing can begin: baton operator reconcile ${id}`;
    default:
      return `Nothing was begun: baton operator run ${id}`;
  }
}

type Goal = { name: string; key: keyof LedgerMetrics; reached(value: number): boolean; goal: string };

const GOALS: readonly Goal[] = [
  { name: 'first pass', key: 'first_pass', reached: (value) => value >= 0.85, goal: '≥ 85 %' },
  { name: 'retries that helped', key: 'retry_success', reached: (value) => value >= 0.6, goal: '≥ 60 %' },
  { name: 'lock conflicts', key: 'lock_conflicts', reached: (value) => value <= 0.05, goal: '≤ 5 %' },
  { name: 'packets valid', key: 'packets_valid', reached: (value) => value >= 0.99, goal: '≥ 99 %' },
];

/** Only what there is something to say about; a goal is named where it was missed. */
function metricWords(metrics: LedgerMetrics): string {
  const words = GOALS.flatMap(({ name, key, reached, goal }) => {
    const value = metrics[key];
    if (value === null) return [];
    // Rounded towards the goal's far side: a goal that was missed must not read as if it were met.
    const percent = key === 'lock_conflicts' ? Math.ceil(value * 100 - 1e-9) : Math.floor(value * 100 + 1e-9);
    return [`${name} ${percent} %${reached(value) ? '' : ` (goal ${goal})`}`];
  });
  const [first = '', ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' · ');
}
