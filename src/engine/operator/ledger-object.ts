import type { ErrorCode } from '../../contracts/shared/errors.js';
import { resourceOf } from '../../contracts/shared/resource.js';
import { type LedgerStatus, statusOf } from '../../core/ledger/ledger-decider.js';
import type { LiveLedger, TaskRow } from '../../core/ledger/ledger-state.js';
import type { TaskStatus } from '../../core/ledger/task-status.js';

/** A ledger as others rely on it. */
export type LedgerObject = {
  run_id: string;
  status: LedgerStatus;
  version: number;
  tasks: readonly TaskObject[];
  active_locks: readonly { task_id: string; resource: string; active: true }[];
  blockers: readonly { task_id: string; code: ErrorCode; reason: string; details?: Record<string, unknown> }[];
};

export type TaskObject = {
  task_id: string;
  title: string;
  status: TaskStatus;
  owner: string;
  attempt: number;
  code: ErrorCode | null;
  reason: string | null;
  dependencies: readonly string[];
  lock_scope: readonly string[];
};

/** What people look at: the ledger with its times, who waits for whom, and how well it goes. */
export type LedgerBoard = {
  ledger: LedgerObject;
  objective: string;
  repository: string;
  branch: string | null;
  opened_at: string;
  /** When the board was made, for ages. */
  at: string;
  /** When nothing was at work any more; null while it goes on. */
  rested_at: string | null;
  cost_usd: number;
  tokens: number;
  /** In the order of the ledger's tasks. */
  rows: readonly BoardRow[];
  metrics: LedgerMetrics;
  /** Every issue that reconciling finds; none is clean. */
  issues: readonly { task_id: string; reason: string }[];
};

export type BoardRow = {
  task_id: string;
  priority: string;
  type: 'parallelizable' | 'serial';
  agent: string | null;
  forbidden_scope: readonly string[];
  timeout_seconds: number;
  /** When somebody was last heard to work on it; null when nobody does. */
  heartbeat_at: string | null;
  /** What it waits for before it can begin: tasks that are not done, or paths that others have. */
  waits_for: readonly { task_id: string; resource?: string }[];
  criteria: { proven: number; of: number };
  /** The commit it came to on the branch. */
  commit: string | null;
  /** Oldest first. `run_id` is of the attempt's own run; null when a foreign worker did it. */
  attempts: readonly {
    attempt: number;
    owner: string;
    run_id: string | null;
    from: string;
    to: string | null;
    end: TaskStatus | 'again' | null;
    code: ErrorCode | null;
  }[];
  /** The number of the open item of the inbox that asks about it. */
  item: number | null;
};

/** Each is null before there is anything to count. The goals: 0.99, at most 0.05, 0.85, 0.6. */
export type LedgerMetrics = {
  packets_valid: number | null;
  lock_conflicts: number | null;
  first_pass: number | null;
  retry_success: number | null;
};

export function ledgerObject(ledger: LiveLedger): LedgerObject {
  const rows = [...ledger.tasks.values()];
  return {
    run_id: ledger.order.run,
    status: statusOf(ledger),
    version: ledger.version,
    tasks: rows.map(taskObject),
    active_locks: [...ledger.locks.all()].map(({ task, resource }) => ({
      ...{ task_id: task, resource: resourceOf(resource), active: true as const },
    })),
    blockers: rows.filter(({ status }) => status === 'blocked').map(blockerOf),
  };
}

function taskObject({ spec, status, owner, attempt, code, reason }: TaskRow): TaskObject {
  const { task_id, title, dependencies, lock_scope } = spec;
  return { task_id, title, status, owner, attempt, code, reason, dependencies, lock_scope };
}

export function blockerOf({ spec, code, reason }: TaskRow): LedgerObject['blockers'][number] {
  return { task_id: spec.task_id, code: code ?? 'TASK_BLOCKED', reason: reason ?? 'it is blocked' };
}
