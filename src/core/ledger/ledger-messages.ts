import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { ContextItem, PlanTask } from '../../contracts/generated/types/plan.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import type { TaskStatus } from './task-status.js';

export type LedgerOrder = {
  objective: string;
  constraints: Readonly<Record<string, unknown>>;
  /** How many tasks may be at work at once. */
  concurrency: number;
  context: readonly ContextItem[];
  repository: string;
  project: string;
};

/** How an attempt at a task has ended; what was said was held against the assignment before. */
export type TaskOutcome =
  | { status: 'done' }
  | { status: 'blocked' | 'failed'; code: ErrorCode; reason: string; retryAfterMs?: number };

export type LedgerCommand = { atMs: number } & (
  | { type: 'Open'; order: LedgerOrder; tasks: readonly PlanTask[] }
  /** By name, for whoever leads the run by hand. */
  | { type: 'Assign'; task: string; owner: string }
  /** Whatever is next, for whoever pulls; answers must carry the number of the claim. */
  | { type: 'Claim'; owner: string }
  | { type: 'HandIn'; task: string; epoch: number | null; outcome: TaskOutcome }
  /** One at a time and in their order; `base` is the version of the ledger it was made on. */
  | { type: 'TakeDelta'; delta: Delta; base: number | null }
  /** Looks who is silent. `beats`: when each task at work was heard of last. */
  | { type: 'Tick'; beats: Readonly<Record<string, number>> }
);

export type LedgerEvent = { atMs: number } & (
  | { type: 'LedgerOpened'; order: LedgerOrder }
  /** In portions: a plan may have thousands. */
  | { type: 'TasksPlanned'; tasks: readonly PlanTask[] }
  | { type: 'TaskAssigned'; task: string; owner: string; attempt: number; epoch: number | null }
  | { type: 'TaskMoved'; task: string; to: TaskStatus; code: ErrorCode | null; reason: string | null }
  /** It is tried again, not before a time. */
  | { type: 'TaskRequeued'; task: string; code: ErrorCode; reason: string; notBeforeMs: number }
  | { type: 'TaskDue'; task: string }
  | { type: 'DeltaTaken'; delta: Delta }
);
