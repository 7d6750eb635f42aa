import type { Effect } from '../kernel/effect.js';
import type { LedgerDeeds, Merge } from '../task/task-deeds.js';
import { PLAN_PART, type TaskOrder, taskRun } from '../task/task-order.js';
import { mayReplan } from './decide-plan.js';
import { agentOf, type LiveLedger, leftOf, type TaskRow } from './ledger-state.js';

const MERGED_AT_ONCE = 50;

export const beginKey = ({ version, asked, order }: LiveLedger): string =>
  `begin-${version}-${asked}-${order.concurrency}`;
export const childKey = ({ spec, attempt }: TaskRow): string => `task-${spec.task_id}.${attempt}`;
export const leavingKey = (run: string): string => `left-${run}`;
export const stopKey = (run: string): string => `stop-${run}`;
export const notifyKey = (question: number): string => `notify-${question}`;
export const planKey = ({ plan }: LiveLedger): string => `plan-${plan.asked}`;
export const applyKey = ({ plan }: LiveLedger): string => `apply-${plan.asked}-${plan.deltas.length}`;
export const replanKey = ({ version }: LiveLedger): string => `replan-${version}`;
export const beatsKey = ({ watch }: LiveLedger): string => `beats-${watch?.atMs}`;

/** After whoever is first: when that is merged, others are. */
export function mergeKey({ merging, tasks }: LiveLedger): string | undefined {
  const [first] = merging;
  return first === undefined ? undefined : `merge-${first}.${tasks.get(first)?.attempt}`;
}

export function* ledgerEffects(ledger: LiveLedger): Iterable<Effect> {
  const { halt, leaving, questions } = ledger;
  for (const [run, stops] of leaving) {
    if (stops) yield { type: 'Tell', key: stopKey(run), run, command: STOP };
    yield { type: 'Child', key: leavingKey(run), run };
  }
  for (const [question, { notified }] of questions) {
    if (!notified) yield { type: 'Notify', key: notifyKey(question), title: noticeOf(ledger, question) };
  }
  yield* timers(ledger);
  for (const task of ledger.active) {
    const row = ledger.tasks.get(task) as TaskRow;
    if (row.begun) yield childOf(ledger, row);
  }
  if (ledger.plan.underWay) yield planChild(ledger);
  if (ledger.plan.deltas.length > 0) yield { type: 'Wake', key: applyKey(ledger), atMs: 0 };
  if (mayReplan(ledger)) yield { type: 'Wake', key: replanKey(ledger), atMs: 0 };
  if (!halt) yield* mergeOf(ledger);
  if (mayBegin(ledger)) yield { type: 'Wake', key: beginKey(ledger), atMs: 0 };
}

const STOP = { type: 'Stop', reason: 'the ledger waits for it no more' };

function* timers({ delayed, tasks, watch, going, ...ledger }: LiveLedger): Iterable<Effect> {
  const dueMs = going ? nextDueMs({ delayed, tasks }) : null;
  if (dueMs !== null) yield { type: 'Wake', key: `due-${dueMs}`, atMs: dueMs };
  if (!watch) return;
  if (!watch.looking) yield { type: 'Wake', key: `watch-${watch.atMs}`, atMs: watch.atMs };
  else yield { type: 'Perform', key: `beats-${watch.atMs}`, deed: 'ledger.beats', input: { run: ledger.order.run } };
}

export function nextDueMs({ delayed, tasks }: Pick<LiveLedger, 'delayed' | 'tasks'>): number | null {
  let nextMs: number | null = null;
  for (const task of delayed) {
    const dueMs = tasks.get(task)?.notBeforeMs ?? null;
    if (dueMs !== null && (nextMs === null || dueMs < nextMs)) nextMs = dueMs;
  }
  return nextMs;
}

/** Somebody can be asked for something now. */
export function mayBegin(ledger: LiveLedger): boolean {
  const { order, active, queue, tasks, going, halt } = ledger;
  const room = order.concurrency - active.size;
  if (!going || halt || room <= 0) return false;
  // A task that a delta has made may have nobody.
  const next = queue.next(order.agent === null ? room : 1);
  return next.some((task) => agentOf(ledger, tasks.get(task) as TaskRow) !== null);
}

/** Whether something other than time or a person moves it on: what `ledgerEffects` says, without making them. */
export function owesSomething(ledger: LiveLedger): boolean {
  const { leaving, merging, halt, watch, questions, active, tasks } = ledger;
  const { plan } = ledger;
  if (plan.underWay || plan.deltas.length > 0 || mayReplan(ledger)) return true;
  if (leaving.size > 0 || (merging.size > 0 && !halt) || watch?.looking || mayBegin(ledger)) return true;
  for (const { notified } of questions.values()) if (!notified) return true;
  for (const task of active) if (tasks.get(task)?.begun) return true;
  return false;
}

function* mergeOf(ledger: LiveLedger): Iterable<Effect> {
  const key = mergeKey(ledger);
  if (key === undefined) return;
  const merges = [...ledger.merging].slice(0, MERGED_AT_ONCE).flatMap((task): Merge[] => {
    const { attempt, spec, owner, work } = ledger.tasks.get(task) as TaskRow;
    return work ? [{ task, attempt, title: spec.title, agent: owner, ...work }] : [];
  });
  const input: LedgerDeeds['merge']['input'] = { repository: { folder: ledger.order.repository }, merges };
  yield { type: 'Perform', key, deed: 'ledger.merge', input };
}

function childOf({ order }: LiveLedger, row: TaskRow): Effect {
  const { run, objective, context, repository, project, env, network, concurrency } = order;
  const { spec, attempt, owner, begun, worklog } = row;
  const { context_package = [], ...task } = spec;
  const child: TaskOrder = {
    ...{ ledger: run, spec: task as TaskOrder['spec'], attempt, agent: owner, objective },
    context: [...context, ...context_package],
    othersLocks: begun?.othersLocks ?? [],
    ...{ worklog, repository: { folder: repository }, project, env, network },
    limits: begun?.limits ?? {},
    room: concurrency,
  };
  const command = { type: 'Begin', order: child };
  return {
    type: 'Child',
    key: childKey(row),
    run: taskRun(run, spec.task_id, attempt),
    begin: { kind: 'task', command },
  };
}

/** Whoever plans sees everything and may write only notes. */
function planChild({ order, plan, spent }: LiveLedger): Effect {
  const { run, objective, context, repository, project, env, network } = order;
  const spec: TaskOrder['spec'] = {
    ...{ task_id: 'T-0', title: `plan ${plan.asked}`, type: 'parallelizable', dependencies: [], forbidden_scope: [] },
    ...{
      lock_scope: ['plan-notes/'],
      acceptance_criteria: ['the plan holds'],
      worklog_path: 'plan-notes/worklog.jsonl',
    },
    ...{ timeout_seconds: PLAN_SILENCE_S, heartbeat_interval_seconds: 60 },
  };
  const child: TaskOrder = {
    ...{ ledger: run, spec, attempt: plan.asked, agent: order.planner ?? '', objective, context, othersLocks: [] },
    ...{ worklog: [], repository: { folder: repository }, project, env, network, room: 0, planning: plan.asked },
    limits: leftOf(order.limits, spent),
  };
  const begin = { kind: 'task', command: { type: 'Begin', order: child } };
  return { type: 'Child', key: `plan-${plan.asked}`, run: taskRun(run, PLAN_PART, plan.asked), begin };
}

const PLAN_SILENCE_S = 1_800;

function noticeOf({ questions, halt, order, tasks }: LiveLedger, question: number): string {
  const task = questions.get(question)?.task ?? null;
  if (task === null) return `${order.objective}: ${halt?.reason ?? 'it cannot go on'}`;
  return `${task} is blocked: ${tasks.get(task)?.reason ?? ''}`;
}
