/** Who has which path of the repository, who waits for it, and which paths somebody must not touch: as a tree. */

import type { LedgerBoard } from '../../contracts/api/ledger-shapes.js';
import { ROOT, resourceOf, resourceProblem } from '../../contracts/shared/resource.js';
import { counted } from '../grouped-number.js';
import { printable } from '../printable.js';
import { cell, cellsOf, wrapCells } from './cells.js';
import { shortRun } from './short-run.js';
import { shortTime } from './short-time.js';
import { type BoardTask, tasksOf } from './task-note.js';
import { inStyle, type ViewStyle } from './view-style.js';

type Holder = { task: string; owner: string; sinceMs: number | null };
type Node = { readonly children: Map<string, Node>; holder: Holder | null; wanted: string[]; forbidden: string[] };

const PATH_WIDTH_LEAST = 12;
const INDENT = 2;

export function lockTreeLines(board: LedgerBoard, style: ViewStyle): string[] {
  const run = shortRun(board.ledger.run_id);
  const tasks = tasksOf(board);
  const root = treeOf(board, tasks);
  const held = board.ledger.active_locks;
  if (held.length === 0) return [`${run}   no path is locked`];
  const holders = new Set(held.map(({ task_id }) => task_id)).size;
  const waiting = tasks.filter(({ row }) => row.waits_for.some(({ resource }) => resource !== undefined)).length;
  const waits = waiting === 0 ? '' : ` · ${counted(waiting, 'task')} wait${waiting === 1 ? 's' : ''} for a path`;
  const head = `${run}   ${counted(held.length, 'lock')} held by ${counted(holders, 'task')}${waits}`;
  return inStyle(
    [
      ...(cellsOf(head) <= style.width ? [head] : wrapCells(head, style.width)),
      '',
      ...treeLines(root, Date.parse(board.at), style),
    ],
    style,
  );
}

function treeOf({ ledger }: LedgerBoard, tasks: readonly BoardTask[]): Node {
  const root = emptyNode();
  const byId = new Map(tasks.map((one) => [one.task.task_id, one]));
  for (const { task_id, resource } of ledger.active_locks) {
    const one = byId.get(task_id);
    const begun = one?.row.attempts.at(-1)?.from;
    const sinceMs = begun === undefined ? null : Date.parse(begun);
    nodeAt(root, resource).holder = { task: task_id, owner: one?.task.owner ?? '', sinceMs };
  }
  for (const { task, row } of tasks) {
    const others = row.waits_for.flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
    for (const wanted of task.lock_scope.filter((path) => others.some((other) => meet(path, other)))) {
      nodeAt(root, wanted).wanted.push(task.task_id);
    }
    if (task.status !== 'in_progress') continue;
    for (const path of row.forbidden_scope) nodeAt(root, path).forbidden.push(task.task_id);
  }
  return root;
}

function emptyNode(): Node {
  return { children: new Map(), holder: null, wanted: [], forbidden: [] };
}

function namesOf(path: string): string[] {
  const resource = resourceProblem(path) === undefined ? resourceOf(path) : path;
  return resource === ROOT ? [] : resource.split('/');
}

function nodeAt(root: Node, path: string): Node {
  let node = root;
  for (const name of namesOf(path)) {
    const next = node.children.get(name) ?? emptyNode();
    node.children.set(name, next);
    node = next;
  }
  return node;
}

/** One is the other or lies inside it, whatever their case. */
function meet(one: string, other: string): boolean {
  const [a, b] = [namesOf(one), namesOf(other)].map((names) => names.map((name) => name.toLowerCase()));
  return (a ?? []).every((name, index) => b?.[index] === undefined || b[index] === name);
}

type Line = { path: string; node: Node };

/** Folders that hold one folder and nothing else are written in one line with it. */
function* linesOf(node: Node, name: string, depth: number): Generator<Line> {
  let [at, path] = [node, name];
  while (at.children.size === 1 && !says(at)) {
    const [[child, next]] = [...at.children] as [[string, Node]];
    [at, path] = [next, path === '' ? child : `${path}/${child}`];
  }
  const inner = [...at.children].sort(([one], [other]) => (one < other ? -1 : 1));
  if (path !== '' || says(at)) {
    const shown = path === '' ? '. (everything)' : `${path}${inner.length > 0 ? '/' : ''}`;
    yield { path: `${' '.repeat(INDENT * depth)}${printable(shown)}`, node: at };
  }
  const deeper = path === '' && !says(at) ? depth : depth + 1;
  for (const [child, next] of inner) yield* linesOf(next, child, deeper);
}

function says({ holder, wanted, forbidden }: Node): boolean {
  return holder !== null || wanted.length > 0 || forbidden.length > 0;
}

function treeLines(root: Node, nowMs: number, { width }: ViewStyle): string[] {
  const lines = [...linesOf(root, '', 0)];
  const most = Math.max(PATH_WIDTH_LEAST, Math.floor(width * 0.5));
  const paths = lines.reduce((found, { path }) => Math.min(most, Math.max(found, cellsOf(path))), PATH_WIDTH_LEAST);
  return lines.flatMap(({ path, node }) => {
    const room = width - paths - 2;
    const [first = '', ...rest] = wrapCells(wordsOf(node, nowMs), room);
    return [`${cell(path, paths)}  ${first}`.trimEnd(), ...rest.map((part) => `${' '.repeat(paths + 2)}${part}`)];
  });
}

function wordsOf({ holder, wanted, forbidden }: Node, nowMs: number): string {
  const since =
    holder === null || holder.sinceMs === null ? '' : ` for ${shortTime(Math.max(0, nowMs - holder.sinceMs))}`;
  return [
    ...(holder === null ? [] : [`${holder.task}${holder.owner === '' ? '' : ` ${printable(holder.owner)}`}${since}`]),
    ...(wanted.length === 0 ? [] : [`wanted by ${wanted.join(', ')}`]),
    ...(forbidden.length === 0 ? [] : [`forbidden to ${forbidden.join(', ')}`]),
  ].join(' · ');
}
