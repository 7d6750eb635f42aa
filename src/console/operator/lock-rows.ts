import type { LedgerBoard } from '../../client/index.js';
import { ROOT, resourceOf, resourceProblem } from '../../contracts/shared/resource.js';
import type { BoardTask } from './board-task.js';

/** One line of the tree: a path, and what is known about it. */
export type LockRow = {
  path: string;
  /** The last names of it; folders that hold nothing else are written in one. */
  name: string;
  level: number;
  hasInner: boolean;
  holder: { task: string; owner: string; since: string | null } | null;
  wantedBy: readonly string[];
  forbiddenTo: readonly string[];
  /** Who had it before, when nobody has it now. */
  released: { task: string; blocked: boolean } | null;
};

type Node = {
  inner: Map<string, Node>;
  holder: LockRow['holder'];
  wanted: string[];
  forbidden: string[];
  released: LockRow['released'];
};

/** In a large ledger only what is held, wanted or forbidden now is shown. */
const RELEASED_OF_MAX = 100;

export function lockRows({ ledger }: LedgerBoard, tasks: readonly BoardTask[]): readonly LockRow[] {
  const root = emptyNode();
  const byId = new Map(tasks.map((task) => [task.task_id, task]));
  for (const { task_id, resource } of ledger.active_locks) {
    const task = byId.get(task_id);
    nodeAt(root, resource).holder = {
      task: task_id,
      owner: task?.owner ?? '',
      since: task?.attempts.at(-1)?.from ?? null,
    };
  }
  for (const task of tasks) addWishes(root, task);
  if (tasks.length <= RELEASED_OF_MAX) for (const task of tasks) addReleased(root, task);
  return [...rowsOf(root, '', '', 1)];
}

function addWishes(root: Node, { task_id, status, lock_scope, forbidden_scope, waits_for }: BoardTask): void {
  const held = waits_for.flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
  for (const path of lock_scope) {
    if (held.some((other) => meet(path, other))) nodeAt(root, path).wanted.push(task_id);
  }
  if (status !== 'in_progress') return;
  for (const path of forbidden_scope) nodeAt(root, path).forbidden.push(task_id);
}

function addReleased(root: Node, { task_id, status, attempts, lock_scope }: BoardTask): void {
  if (attempts.length === 0 || status === 'in_progress' || status === 'todo') return;
  for (const path of lock_scope) nodeAt(root, path).released = { task: task_id, blocked: status === 'blocked' };
}

function emptyNode(): Node {
  return { inner: new Map(), holder: null, wanted: [], forbidden: [], released: null };
}

function namesOf(path: string): readonly string[] {
  const resource = resourceProblem(path) === undefined ? resourceOf(path) : path;
  return resource === ROOT ? [] : resource.split('/');
}

function nodeAt(root: Node, path: string): Node {
  let node = root;
  for (const name of namesOf(path)) {
    const next = node.inner.get(name) ?? emptyNode();
    node.inner.set(name, next);
    node = next;
  }
  return node;
}

/** One is the other or lies inside it, whatever their case. */
function meet(one: string, other: string): boolean {
  const lower = (path: string) => namesOf(path).map((name) => name.toLowerCase());
  const [some, others] = [lower(one), lower(other)];
  return some.every((name, index) => others[index] === undefined || others[index] === name);
}

function says({ holder, wanted, forbidden, released }: Node): boolean {
  return holder !== null || wanted.length > 0 || forbidden.length > 0 || released !== null;
}

function* rowsOf(node: Node, path: string, name: string, level: number): Generator<LockRow> {
  let [at, to, shown] = [node, path, name];
  while (at.inner.size === 1 && !says(at)) {
    const [[child, next]] = [...at.inner] as [[string, Node]];
    [at, to, shown] = [next, joined(to, child), joined(shown, child)];
  }
  const inner = [...at.inner].sort(([one], [other]) => (one < other ? -1 : 1));
  const isShown = shown !== '' || says(at);
  if (isShown) {
    yield {
      ...{ path: to || '.', name: shown || '. (everything)', level, hasInner: inner.length > 0 },
      ...{ holder: at.holder, wantedBy: at.wanted, forbiddenTo: at.forbidden, released: at.released },
    };
  }
  for (const [child, next] of inner) yield* rowsOf(next, joined(to, child), child, isShown ? level + 1 : level);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
