import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import { DispatchQueue } from './dispatch-queue.js';
import type { LedgerOrder } from './ledger-messages.js';
import { LockTable } from './lock-table.js';
import { TASK_STATUSES, type TaskStatus } from './task-status.js';

export type TaskRow = {
  spec: PlanTask;
  status: TaskStatus;
  owner: string;
  attempt: number;
  /** Of the claim it is worked on under; null when it was assigned by name. */
  epoch: number | null;
  /** Of the last failure, kept while it is tried again. */
  code: ErrorCode | null;
  reason: string | null;
  /** How many of its dependencies are not done. */
  open: number;
  /** When it was given out last: nobody has been heard of before. */
  givenMs: number;
  /** Not before this time it is tried again. */
  notBeforeMs: number | null;
};

export type LiveLedger = {
  status: 'open';
  order: LedgerOrder;
  /** How often a row was changed. */
  version: number;
  /** In the order of the plan. */
  tasks: Map<string, TaskRow>;
  dependents: Map<string, string[]>;
  counts: Record<TaskStatus, number>;
  active: Set<string>;
  delayed: Set<string>;
  locks: LockTable;
  queue: DispatchQueue;
  /** The number of the last claim. */
  claims: number;
  deltas: Map<string, Delta>;
};
export type Ledger = { status: 'new' } | LiveLedger;

export function openLedger(order: LedgerOrder): LiveLedger {
  return {
    ...{ status: 'open', order, version: 0, claims: 0 },
    ...{ tasks: new Map(), dependents: new Map(), active: new Set(), delayed: new Set(), deltas: new Map() },
    counts: Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Record<TaskStatus, number>,
    ...{ locks: new LockTable(), queue: new DispatchQueue() },
  };
}

export function wantsOf({ spec }: TaskRow): { task: string; scope: readonly string[]; serial: boolean } {
  return { task: spec.task_id, scope: spec.lock_scope, serial: spec.type === 'serial' };
}
