import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { unreachable } from '../kernel/unreachable.js';
import type { LedgerEvent } from './ledger-messages.js';
import { type Ledger, type LiveLedger, openLedger, type TaskRow, wantsOf } from './ledger-state.js';
import type { TaskStatus } from './task-status.js';

/** Changes the ledger in place, and all that is kept to find things in it with the rows. */
export function evolveLedger(ledger: Ledger, event: LedgerEvent): Ledger {
  if (event.type === 'LedgerOpened') return openLedger(event.order);
  if (ledger.status === 'new') throw new Error(`${event.type} before the ledger was opened`);
  switch (event.type) {
    case 'TasksPlanned':
      for (const task of event.tasks) plan(ledger, task);
      break;
    case 'TaskAssigned': {
      const row = rowOf(ledger, event.task);
      Object.assign(row, { owner: event.owner, attempt: event.attempt, epoch: event.epoch, givenMs: event.atMs });
      if (event.epoch !== null) ledger.claims = event.epoch;
      move(ledger, row, 'in_progress');
      break;
    }
    case 'TaskMoved': {
      const row = rowOf(ledger, event.task);
      Object.assign(row, { code: event.code, reason: event.reason });
      move(ledger, row, event.to);
      break;
    }
    case 'TaskRequeued': {
      const row = rowOf(ledger, event.task);
      Object.assign(row, { code: event.code, reason: event.reason, notBeforeMs: event.notBeforeMs });
      ledger.delayed.add(event.task);
      move(ledger, row, 'todo');
      break;
    }
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
    default:
      unreachable(event);
  }
  return ledger;
}

function plan(ledger: LiveLedger, spec: PlanTask): void {
  const { task_id, dependencies } = spec;
  const open = dependencies.filter((needed) => ledger.tasks.get(needed)?.status !== 'done').length;
  const row: TaskRow = {
    ...{ spec, status: 'todo', owner: '', attempt: 0, epoch: null, code: null, reason: null },
    ...{ open, givenMs: 0, notBeforeMs: null },
  };
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

function move(ledger: LiveLedger, row: TaskRow, to: TaskStatus): void {
  const { task_id } = row.spec;
  const from = row.status;
  ledger.version += 1;
  ledger.counts[from] -= 1;
  ledger.counts[to] += 1;
  row.status = to;
  ledger.queue.remove(task_id);
  if (from === 'in_progress') {
    ledger.locks.release(task_id);
    ledger.queue.ended(task_id);
    ledger.active.delete(task_id);
  }
  if (to === 'in_progress') begin(ledger, row);
  if (to === 'todo') enqueue(ledger, row);
  else {
    row.notBeforeMs = null;
    ledger.delayed.delete(task_id);
  }
  if (to === 'done') freeDependents(ledger, task_id);
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
function enqueue(ledger: LiveLedger, row: TaskRow): void {
  if (row.status !== 'todo' || row.open > 0 || row.notBeforeMs !== null) return;
  ledger.queue.add({ ...wantsOf(row), priority: row.spec.priority ?? 'normal' });
}

function rowOf(ledger: LiveLedger, task: string): TaskRow {
  const row = ledger.tasks.get(task);
  if (!row) throw new Error(`there is no task ${task}`);
  return row;
}
