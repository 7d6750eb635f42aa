import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { type Decision, type Refusal, refuse } from '../kernel/decider.js';
import { unreachable } from '../kernel/unreachable.js';
import { beginProblem } from './begin-problem.js';
import { decideDelta } from './decide-delta.js';
import type { LedgerCommand, LedgerEvent } from './ledger-messages.js';
import type { Ledger, LiveLedger, TaskRow } from './ledger-state.js';
import { mayTryAgain } from './task-status.js';

type Outcome = Decision<LedgerEvent>;
type Command<Type extends LedgerCommand['type']> = Extract<LedgerCommand, { type: Type }>;

const TASKS_PER_EVENT = 200;
const SECOND_MS = 1_000;

export function decideLedger(ledger: Readonly<Ledger>, command: LedgerCommand): Outcome {
  if (command.type === 'Open') return open(ledger, command);
  if (ledger.status === 'new') return refuse('RUN_NOT_FOUND', 'there is no ledger yet');
  switch (command.type) {
    case 'Assign':
      return assign(ledger, command);
    case 'Claim':
      return claim(ledger, command);
    case 'HandIn':
      return handIn(ledger, command);
    case 'TakeDelta':
      return decideDelta(ledger, command);
    case 'Tick':
      return tick(ledger, command);
    default:
      return unreachable(command);
  }
}

function open(ledger: Readonly<Ledger>, { atMs, order, tasks }: Command<'Open'>): Outcome {
  if (ledger.status !== 'new') return refuse('ID_TAKEN', 'a ledger of this run is open already');
  const portions: PlanTask[][] = [];
  for (let from = 0; from < tasks.length; from += TASKS_PER_EVENT) {
    portions.push(tasks.slice(from, from + TASKS_PER_EVENT));
  }
  const planned = portions.map((portion) => ({ type: 'TasksPlanned', atMs, tasks: portion }) as const);
  return { events: [{ type: 'LedgerOpened', atMs, order }, ...planned] };
}

function assign(ledger: LiveLedger, { atMs, task, owner }: Command<'Assign'>): Outcome {
  const row = ledger.tasks.get(task);
  if (!row) return unknownTask(task);
  const against = beginProblem(ledger, row);
  if (against) return { refusal: against };
  return { events: [{ type: 'TaskAssigned', atMs, task, owner, attempt: row.attempt + 1, epoch: null }] };
}

/** Nothing happens when nothing can be begun. */
function claim(ledger: LiveLedger, { atMs, owner }: Command<'Claim'>): Outcome {
  const room = ledger.order.concurrency - ledger.active.size;
  const [task] = room > 0 ? ledger.queue.next(1) : [];
  const row = task === undefined ? undefined : ledger.tasks.get(task);
  if (task === undefined || !row) return { events: [] };
  const epoch = ledger.claims + 1;
  return { events: [{ type: 'TaskAssigned', atMs, task, owner, attempt: row.attempt + 1, epoch }] };
}

function handIn(ledger: LiveLedger, { atMs, task, epoch, outcome }: Command<'HandIn'>): Outcome {
  const row = ledger.tasks.get(task);
  if (!row) return unknownTask(task);
  if (row.status !== 'in_progress') {
    return refuse('INVALID_TRANSITION', `${task} is ${row.status}: nobody works on it`, { status: row.status });
  }
  if (row.epoch !== epoch) {
    const reason = `${task} is worked on under claim ${row.epoch ?? 'none'}, not ${epoch ?? 'none'}`;
    return refuse('HANDOFF_LOST', reason, { task_id: task, epoch: row.epoch });
  }
  if (outcome.status === 'done') {
    return { events: [{ type: 'TaskMoved', atMs, task, to: 'done', code: null, reason: null }] };
  }
  const { status, code, reason, retryAfterMs = 0 } = outcome;
  if (status === 'failed' && mayTryAgain(code, row.attempt)) {
    const again = { type: 'TaskRequeued', atMs, task, code, reason, notBeforeMs: atMs + retryAfterMs } as const;
    return { events: retryAfterMs === 0 ? [again, { type: 'TaskDue', atMs, task }] : [again] };
  }
  return { events: [{ type: 'TaskMoved', atMs, task, to: status, code, reason }] };
}

function tick(ledger: LiveLedger, { atMs, beats }: Command<'Tick'>): Outcome {
  const events: LedgerEvent[] = [];
  for (const task of ledger.active) {
    const { spec, givenMs, owner } = ledger.tasks.get(task) as TaskRow;
    const silentMs = atMs - Math.max(givenMs, beats[task] ?? 0);
    if (silentMs <= spec.timeout_seconds * SECOND_MS) continue;
    const seconds = Math.floor(silentMs / SECOND_MS);
    const reason = `${owner} sent no heartbeat for ${seconds} s; ${spec.timeout_seconds} s are allowed`;
    events.push({ type: 'TaskMoved', atMs, task, to: 'blocked', code: 'TASK_TIMEOUT', reason });
  }
  for (const task of ledger.delayed) {
    const { notBeforeMs } = ledger.tasks.get(task) as TaskRow;
    if (notBeforeMs !== null && notBeforeMs <= atMs) events.push({ type: 'TaskDue', atMs, task });
  }
  return { events };
}

function unknownTask(task: string): { refusal: Refusal } {
  const reason = `there is no task ${task}`;
  return refuse('LEDGER_INCONSISTENT', reason, { issues: [{ task_id: task, reason }] });
}
