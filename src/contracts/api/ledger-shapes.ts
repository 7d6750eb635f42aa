import type { Assignment } from '../generated/types/assignment.js';
import type { ErrorCode } from '../shared/errors.js';

export type LedgerStatus = 'todo' | 'running' | 'done' | 'blocked' | 'failed';
export type TaskStatus = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';

/** A ledger as others rely on it. */
export type LedgerObject = {
  run_id: string;
  status: LedgerStatus;
  /** For deltas: the version they were made on. */
  version: number;
  tasks: readonly LedgerTask[];
  active_locks: readonly { task_id: string; resource: string; active: true }[];
  blockers: readonly { task_id: string; code: ErrorCode; reason: string; details?: Record<string, unknown> }[];
};

/** `code` and `reason` are of its last failure, and stay while it is tried again. */
export type LedgerTask = {
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

/** What was taken; everything is null when nothing could be begun now. */
export type Claim = { assignment: Assignment | null; epoch: number | null; expires_at: string | null };

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
  /** Oldest first. */
  attempts: readonly BoardAttempt[];
  /** The number of the open item of the inbox that asks about it. */
  item: number | null;
};

/** `run_id` is of the attempt's own run; null when a foreign worker did it. */
export type BoardAttempt = {
  attempt: number;
  owner: string;
  run_id: string | null;
  from: string;
  to: string | null;
  end: TaskStatus | 'again' | null;
  code: ErrorCode | null;
};

/** Each is null before there is anything to count. The goals: 0.99, at most 0.05, 0.85, 0.6. */
export type LedgerMetrics = {
  packets_valid: number | null;
  lock_conflicts: number | null;
  first_pass: number | null;
  retry_success: number | null;
};
