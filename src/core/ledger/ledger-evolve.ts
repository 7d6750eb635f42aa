import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { addSpent } from '../kernel/budget.js';
import { unreachable } from '../kernel/unreachable.js';
import { silenceMs } from '../task/silence-limit.js';
import { PLAN_PART, taskRun } from '../task/task-order.js';
import { bytesOf, LOCKS_BYTES_MAX } from './event-sizes.js';
import type { LedgerEvent, Pace } from './ledger-messages.js';
import {
  type Ledger,
  type LiveLedger,
  leftOf,
  openLedger,
  planRow,
  type TaskAttempt,
  type TaskRow,
  wantsOf,
} from './ledger-state.js';
import { tallyAssigned, tallyMoved, tallyResult } from './ledger-tally.js';
import type { HeldPath } from './lock-table.js';
import { isFinal, type TaskStatus } from './task-status.js';

type Event<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { type: Type }>;

/** Of the paths that others have, so many are told. */
const LOCKS_TOLD_MAX = 50;

/** Changes the ledger in place, and all that is kept to find things in it with the rows. */
export function evolveLedger(ledger: Ledger, event: LedgerEvent): Ledger {
  if (event.type === 'LedgerOpened') return openLedger(event.order);
  if (ledger.status === 'new') throw new Error(`${event.type} before the ledger was opened`);
  evolveLive(ledger, event);
  return ledger;
}

function evolveLive(ledger: LiveLedger, event: Exclude<LedgerEvent, { type: 'LedgerOpened' }>): void {
  switch (event.type) {
    case 'TasksPlanned':
      for (const task of event.tasks) plan(ledger, task);
      break;
    case 'LedgerBegun':
      ledger.going = true;
      ledger.order = { ...ledger.order, ...paceOf(event) };
      break;
    case 'TaskRestored': {
      const { task, status, ...rest } = event.standing;
      const row = rowOf(ledger, task);
      Object.assign(row, rest);
      if (status !== row.status) move(ledger, row, status);
      break;
    }
    case 'TaskAssigned':
      assigned(ledger, event);
      break;
    case 'ResultTaken':
      resultTaken(ledger, event);
      break;
    case 'TaskMoved':
      moved(ledger, event);
      break;
    case 'TaskRequeued':
      requeued(ledger, event);
      break;
    case 'TaskDue': {
      const row = rowOf(ledger, event.task);
      row.notBeforeMs = null;
      ledger.delayed.delete(event.task);
      enqueue(ledger, row);
      break;
    }
    case 'DeltaTaken':
      ledger.deltas.set(event.delta.delta_id, event.delta);
      break;
    case 'AttemptEnded':
      ledger.leaving.delete(event.run);
      break;
    case 'AttemptToldToStop':
      if (ledger.leaving.has(event.run)) ledger.leaving.set(event.run, false);
      break;
    case 'LimitsRaised':
      ledger.order = { ...ledger.order, limits: { ...ledger.order.limits, ...event.limits } };
      break;
    case 'WatchBegun':
      if (ledger.watch) ledger.watch = { ...ledger.watch, looking: true };
      break;
    case 'WatchEnded':
      ledger.watch = event.nextMs === null ? null : { atMs: event.nextMs, looking: false };
      break;
    case 'PlanningBegun':
      ledger.plan = { ...ledger.plan, asked: event.number, underWay: true };
      break;
    case 'PlanTaken':
      planTaken(ledger, event);
      break;
    case 'DeltaSettled':
      ledger.plan = { ...ledger.plan, deltas: ledger.plan.deltas.slice(1), seen: ledger.version };
      break;
    default:
      evolveQuestion(ledger, event);
  }
}

function planTaken(ledger: LiveLedger, { number, deltas, usage, activeMs }: Event<'PlanTaken'>): void {
  ledger.plan = { asked: number, underWay: false, deltas, seen: ledger.version };
  ledger.leaving.set(taskRun(ledger.order.run, PLAN_PART, number), false);
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  ledger.spent = addSpent(ledger.spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs, asks: 1 });
}

function paceOf({ concurrency, agent, fallback }: Pace): Pace {
  return { concurrency, agent, fallback };
}

function evolveQuestion(
  ledger: LiveLedger,
  event: Event<'BlockerAsked' | 'BlockerAnswered' | 'LedgerHalted' | 'LedgerResumed' | 'StewardNotified'>,
): void {
  const { question } = event;
  switch (event.type) {
    case 'BlockerAsked':
      ask(ledger, question, event.task);
      rowOf(ledger, event.task).question = question;
      break;
    case 'BlockerAnswered': {
      const task = ledger.questions.get(question)?.task ?? null;
      if (task !== null) rowOf(ledger, task).question = null;
      ledger.questions.delete(question);
      break;
    }
    case 'LedgerHalted':
      ask(ledger, question, null);
      ledger.halt = { why: event.why, reason: event.reason, question };
      break;
    case 'LedgerResumed':
      if (ledger.halt?.why === 'plan') ledger.plan = { ...ledger.plan, seen: -1 };
      ledger.halt = null;
      ledger.questions.delete(question);
      break;
    case 'StewardNotified': {
      const asked = ledger.questions.get(question);
      if (asked) ledger.questions.set(question, { ...asked, notified: true });
      break;
    }
    default:
      unreachable(event);
  }
}

function ask(ledger: LiveLedger, question: number, task: string | null): void {
  ledger.asked = question;
  ledger.questions.set(question, { task, notified: false });
}

function plan(ledger: LiveLedger, spec: PlanTask): void {
  const { task_id, dependencies } = spec;
  const open = dependencies.filter((needed) => ledger.tasks.get(needed)?.status !== 'done').length;
  const row = planRow(spec, open);
  ledger.tasks.set(task_id, row);
  ledger.counts.todo += 1;
  ledger.version += 1;
  for (const needed of dependencies) {
    const others = ledger.dependents.get(needed);
    if (others) others.push(task_id);
    else ledger.dependents.set(needed, [task_id]);
  }
  enqueue(ledger, row);
}

function assigned(ledger: LiveLedger, { task, owner, attempt, epoch, own, atMs }: Event<'TaskAssigned'>): void {
  const row = rowOf(ledger, task);
  const othersLocks = own ? firstLocks(ledger.locks.all()) : [];
  Object.assign(row, { owner, attempt, epoch, givenMs: atMs, work: null, proven: 0 });
  row.begun = own ? { othersLocks, limits: leftOf(ledger.order.limits, ledger.spent) } : null;
  row.attempts = [...row.attempts, { owner, own, fromMs: atMs, toMs: null, end: null, code: null }];
  if (epoch !== null) ledger.claims = epoch;
  tallyAssigned(ledger.tally, row);
  move(ledger, row, 'in_progress');
  if (own) return;
  const silentMs = atMs + silenceMs(row.spec);
  if (!ledger.watch || (!ledger.watch.looking && silentMs < ledger.watch.atMs)) {
    ledger.watch = { atMs: silentMs, looking: false };
  }
}

function firstLocks(held: Iterable<HeldPath>): HeldPath[] {
  const told: HeldPath[] = [];
  let left = LOCKS_BYTES_MAX;
  for (const lock of held) {
    left -= bytesOf(lock) + 1;
    if (left < 0 || told.length === LOCKS_TOLD_MAX) break;
    told.push(lock);
  }
  return told;
}

function resultTaken(ledger: LiveLedger, event: Event<'ResultTaken'>): void {
  const { task, attempt, work, proven, worklog, usage, activeMs, code } = event;
  const row = rowOf(ledger, task);
  row.proven = proven;
  if (worklog) row.worklog = [...row.worklog, worklog];
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  ledger.spent = addSpent(ledger.spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs, asks: 1 });
  tallyResult(ledger.tally, code);
  if (row.begun) {
    row.begun = null;
    ledger.leaving.set(taskRun(ledger.order.run, task, attempt), false);
  }
  if (!work) return;
  row.work = work;
  ledger.merging.add(task);
}

function moved(ledger: LiveLedger, event: Event<'TaskMoved'>): void {
  const { task, to, code, reason, commit, atMs, notBeforeMs } = event;
  const row = rowOf(ledger, task);
  endAttempt(row, { toMs: atMs, end: to, code });
  Object.assign(row, { code, reason });
  if (commit !== undefined) row.commit = commit;
  if (notBeforeMs !== undefined) {
    row.notBeforeMs = notBeforeMs;
    ledger.delayed.add(task);
  }
  tallyMoved(ledger.tally, row, to, code);
  move(ledger, row, to);
}

function requeued(ledger: LiveLedger, event: Event<'TaskRequeued'>): void {
  const { task, code, reason, notBeforeMs, agent, alone, timeoutSeconds, afresh } = event;
  const row = rowOf(ledger, task);
  endAttempt(row, { toMs: event.atMs, end: 'again', code });
  Object.assign(row, { code, reason, notBeforeMs });
  row.failures = afresh ? 0 : row.failures + 1;
  row.escalated = !afresh && (row.escalated || agent !== undefined || alone === true);
  if (agent !== undefined) row.agent = agent;
  // Whoever wants other paths must not stand in the queue when that changes.
  ledger.queue.remove(task);
  if (alone) row.alone = true;
  if (timeoutSeconds !== undefined) row.spec = { ...row.spec, timeout_seconds: timeoutSeconds };
  ledger.delayed.add(task);
  move(ledger, row, 'todo');
}

/** The one under way, or the last one, which is tried again after all. */
function endAttempt(row: TaskRow, end: Pick<TaskAttempt, 'toMs' | 'end' | 'code'>): void {
  const last = row.attempts.at(-1);
  if (last && row.status === 'in_progress') row.attempts = [...row.attempts.slice(0, -1), { ...last, ...end }];
  else if (last && end.end === 'again') row.attempts = [...row.attempts.slice(0, -1), { ...last, end: 'again' }];
}

function move(ledger: LiveLedger, row: TaskRow, to: TaskStatus): void {
  const { task_id } = row.spec;
  const from = row.status;
  ledger.version += 1;
  ledger.counts[from] -= 1;
  ledger.counts[to] += 1;
  row.status = to;
  ledger.queue.remove(task_id);
  if (from === 'in_progress') leave(ledger, row);
  if (to === 'in_progress') begin(ledger, row);
  if (to === 'todo') enqueue(ledger, row);
  else {
    row.notBeforeMs = null;
    ledger.delayed.delete(task_id);
  }
  if (to === 'done') freeDependents(ledger, task_id);
  if (isFinal(to)) row.work = null;
}

/** Its paths are free in the same commit; whoever is still at work on it is told to stop. */
function leave(ledger: LiveLedger, row: TaskRow): void {
  const { task_id } = row.spec;
  ledger.locks.release(task_id);
  ledger.queue.ended(task_id);
  ledger.active.delete(task_id);
  ledger.merging.delete(task_id);
  // Nobody is left to look after: it would not rest before the hour that was meant for somebody else.
  if (ledger.active.size === 0 && !ledger.watch?.looking) ledger.watch = null;
  row.work = null;
  if (!row.begun) return;
  row.begun = null;
  ledger.leaving.set(taskRun(ledger.order.run, task_id, row.attempt), true);
}

function begin(ledger: LiveLedger, row: TaskRow): void {
  const { task_id, lock_scope } = row.spec;
  ledger.locks.take(task_id, lock_scope);
  ledger.queue.begun(wantsOf(row));
  ledger.active.add(task_id);
}

function freeDependents(ledger: LiveLedger, done: string): void {
  for (const task of ledger.dependents.get(done) ?? []) {
    const row = rowOf(ledger, task);
    row.open -= 1;
    enqueue(ledger, row);
  }
}

/** Only what could be begun but for the paths of others stands in the queue. */
export function enqueue(ledger: LiveLedger, row: TaskRow): void {
  if (row.status !== 'todo' || row.open > 0 || row.notBeforeMs !== null) return;
  ledger.queue.add({ ...wantsOf(row), priority: row.spec.priority ?? 'normal' });
}

export function rowOf(ledger: LiveLedger, task: string): TaskRow {
  const row = ledger.tasks.get(task);
  if (!row) throw new Error(`there is no task ${task}`);
  return row;
}
