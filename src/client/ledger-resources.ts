import type { WorklogEntry } from '../contracts/generated/types/worklog-entry.js';

export type TaskStatus = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';

/** A run of the operator: its tasks, who has which path, what stands in the way. */
export type Ledger = {
  run_id: string;
  status: 'todo' | 'running' | 'done' | 'blocked' | 'failed';
  version: number;
  tasks: readonly LedgerTask[];
  active_locks: readonly { task_id: string; resource: string; active: true }[];
  blockers: readonly { task_id: string; code: string; reason: string; details?: Record<string, unknown> }[];
};

export type LedgerTask = {
  task_id: string;
  title: string;
  status: TaskStatus;
  owner: string;
  attempt: number;
  code: string | null;
  reason: string | null;
  dependencies: readonly string[];
  lock_scope: readonly string[];
};

/** A ledger with its times, who waits for whom, and how well it goes. `rows` stand in the order of its tasks. */
export type LedgerBoard = {
  ledger: Ledger;
  objective: string;
  repository: string;
  branch: string | null;
  opened_at: string;
  at: string;
  rested_at: string | null;
  cost_usd: number;
  tokens: number;
  rows: readonly BoardRow[];
  metrics: LedgerMetrics;
  issues: readonly { task_id: string; reason: string }[];
};

export type BoardRow = {
  task_id: string;
  priority: string;
  type: 'parallelizable' | 'serial';
  agent: string | null;
  forbidden_scope: readonly string[];
  timeout_seconds: number;
  heartbeat_at: string | null;
  waits_for: readonly { task_id: string; resource?: string }[];
  criteria: { proven: number; of: number };
  commit: string | null;
  attempts: readonly BoardAttempt[];
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
  code: string | null;
};

/** Shares of one; each is null before there is anything to count. */
export type LedgerMetrics = {
  packets_valid: number | null;
  lock_conflicts: number | null;
  first_pass: number | null;
  retry_success: number | null;
};

export type { WorklogEntry };
