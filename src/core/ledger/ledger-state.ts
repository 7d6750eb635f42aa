import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import { DIMENSIONS, type Limits, NOTHING_SPENT, remaining, type Spent } from '../kernel/budget.js';
import type { BodyRef } from '../kernel/effect.js';
import type { TaskOrder } from '../task/task-order.js';
import { DispatchQueue } from './dispatch-queue.js';
import type { Halt, LedgerOrder } from './ledger-messages.js';
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
  /** With what the present attempt was begun; null when Baton asks nobody for it. */
  begun: Pick<TaskOrder, 'othersLocks' | 'limits'> | null;
  /** Work that waits to be merged. */
  work: { base: string; commit: string } | null;
  proven: number;
  /** On the branch. */
  commit: string | null;
  /** Lines of agents, attempt by attempt. */
  worklog: readonly BodyRef[];
  /** Failed since it was last begun afresh. */
  failures: number;
  /** Whether something was changed for it already because of that. */
  escalated: boolean;
  /** It runs alone although its plan does not say so. */
  alone: boolean;
  /** Instead of whom its plan names. */
  agent: string | null;
  /** What a person is asked about it. */
  question: number | null;
  /** Oldest first. */
  attempts: readonly TaskAttempt[];
};

/** `again`: it was tried once more. */
export type TaskAttempt = {
  owner: string;
  own: boolean;
  fromMs: number;
  toMs: number | null;
  end: TaskStatus | 'again' | null;
  code: ErrorCode | null;
};

/** Counted for the goals: of how many, how many. */
export type Tally = { packets: number; valid: number; begun: number; conflicts: number } & {
  firstTries: number;
  firstPassed: number;
  retried: number;
  retriesPassed: number;
};
const NO_TALLY: Tally = {
  ...{ packets: 0, valid: 0, begun: 0, conflicts: 0 },
  ...{ firstTries: 0, firstPassed: 0, retried: 0, retriesPassed: 0 },
};

export type LiveLedger = {
  status: 'open';
  order: LedgerOrder;
  /** Agents are asked as long as something can be done. */
  going: boolean;
  halt: (Halt & { question: number }) | null;
  /** How often a row was changed. */
  version: number;
  /** In the order of the plan. */
  tasks: Map<string, TaskRow>;
  dependents: Map<string, string[]>;
  counts: Record<TaskStatus, number>;
  active: Set<string>;
  /** At work, with work that waits to be merged, in the order in which it came. */
  merging: Set<string>;
  delayed: Set<string>;
  /** Runs of attempts that nobody waits for any more; true: still to be told to stop. */
  leaving: Map<string, boolean>;
  locks: LockTable;
  queue: DispatchQueue;
  /** The number of the last claim. */
  claims: number;
  deltas: Map<string, Delta>;
  /** Of open questions, whether somebody was told of them. */
  questions: Map<number, { task: string | null; notified: boolean }>;
  asked: number;
  /** When it is to be looked who of foreign workers is silent. */
  watch: { atMs: number; looking: boolean } | null;
  spent: Spent;
  tally: Tally;
  plan: Planning;
};
export type Planning = {
  /** How often the planner was asked. */
  asked: number;
  underWay: boolean;
  /** Of the last plan, what is still to be taken. */
  deltas: readonly Delta[];
  /** The version of the ledger after the last plan: it is not asked again before something has changed. */
  seen: number;
};
const NO_PLANNING: Planning = { asked: 0, underWay: false, deltas: [], seen: -1 };
export type Ledger = { status: 'new' } | LiveLedger;

export function openLedger(order: LedgerOrder): LiveLedger {
  return {
    ...{ status: 'open', order, version: 0, claims: 0, going: false, halt: null, asked: 0, watch: null },
    ...{ tasks: new Map(), dependents: new Map(), active: new Set(), merging: new Set(), delayed: new Set() },
    ...{ deltas: new Map(), leaving: new Map(), questions: new Map() },
    counts: Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Record<TaskStatus, number>,
    ...{ locks: new LockTable(), queue: new DispatchQueue() },
    ...{ spent: NOTHING_SPENT, tally: { ...NO_TALLY }, plan: NO_PLANNING },
  };
}

export function planRow(spec: PlanTask, open: number): TaskRow {
  return {
    ...{ spec, status: 'todo', owner: '', attempt: 0, epoch: null, code: null, reason: null, open },
    ...{ givenMs: 0, notBeforeMs: null, begun: null, work: null, proven: 0, commit: null, worklog: [] },
    ...{ failures: 0, escalated: false, alone: false, agent: null, question: null, attempts: [] },
  };
}

export function runsAlone({ spec, alone }: TaskRow): boolean {
  return alone || spec.type === 'serial';
}

export function wantsOf(row: TaskRow): { task: string; scope: readonly string[]; serial: boolean } {
  return { task: row.spec.task_id, scope: row.spec.lock_scope, serial: runsAlone(row) };
}

/** Who is asked for it; null when nobody is named. */
export function agentOf({ order }: LiveLedger, { agent, spec }: TaskRow): string | null {
  return agent ?? spec.agent ?? order.agent;
}

/** What is left of the limits, for whoever begins now. */
export function leftOf(limits: Limits, spent: Spent): Limits {
  const limited = DIMENSIONS.filter((dimension) => limits[dimension]);
  return Object.fromEntries(limited.map((dimension) => [dimension, remaining(limits, spent, dimension)]));
}
