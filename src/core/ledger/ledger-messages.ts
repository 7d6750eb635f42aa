import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { ContextItem, PlanTask } from '../../contracts/generated/types/plan.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, Usage } from '../kernel/effect.js';
import type { PlanReport, TaskReport } from '../task/task-messages.js';
import type { TaskStatus } from './task-status.js';

export type LedgerOrder = {
  /** Its own name. */
  run: string;
  objective: string;
  constraints: Readonly<Record<string, unknown>>;
  /** How many tasks may be at work at once. */
  concurrency: number;
  context: readonly ContextItem[];
  repository: string;
  project: string;
  /** Who does what names nobody; null when every task names somebody, or others come and claim. */
  agent: string | null;
  /** Who does what the first one could not. */
  fallback: string | null;
  /** Who is asked for a plan, and again when tasks are blocked; null when nobody is. */
  planner: string | null;
  /** Names of environment variables that agents get. */
  env: readonly string[];
  /** Hosts that agents may reach from inside a sandbox. */
  network: readonly string[];
  limits: Limits;
};

/** How an attempt at a task has ended; what was said was held against the assignment before. */
export type TaskOutcome = TaskReport['outcome'];
export type Trouble = Exclude<TaskOutcome, { status: 'done' }>;
/** What was shown for it. */
export type Shown = { proven: number; worklog: BodyRef | null };

/** What a person says to a task that is blocked. */
export type BlockerAnswer =
  | { type: 'again'; agent: string | null /** It may be silent for twice as long. */; longer: boolean }
  | { type: 'give-up' };

export type LedgerCommand =
  | ({ atMs: number } /** `standings`: of tasks that were begun elsewhere. */ & (
      | { type: 'Open'; order: LedgerOrder; tasks: readonly PlanTask[]; standings?: readonly Standing[] }
      /** Ask agents until nothing more can be done; what is null stays as it is. */
      | ({ type: 'Go' } & { [Of in keyof Pace]: Pace[Of] | null })
      /** By name, for whoever leads the run by hand. */
      | { type: 'Assign'; task: string; owner: string }
      /** Whatever is next, for whoever pulls; answers must carry the number of the claim. */
      | { type: 'Claim'; owner: string }
      | { type: 'HandIn'; task: string; epoch: number | null; outcome: TaskOutcome; shown: Shown }
      /** Of an attempt that Baton itself has made. */
      | ({ type: 'Report' } & TaskReport)
      /** One at a time and in their order; `base` is the version of the ledger it was made on. */
      | { type: 'TakeDelta'; delta: Delta; base: number | null }
      /** Looks who is silent. `beats`: when each task at work was heard of last. */
      | { type: 'Tick'; beats: Readonly<Record<string, number>> }
      /** Asks the planner. */
      | { type: 'Plan' }
      /** Of whoever was asked. */
      | ({ type: 'TakePlan' } & PlanReport)
      | { type: 'AnswerBlocker'; question: number; answer: BlockerAnswer }
      | { type: 'Raise'; limits: Limits }
    ))
  | EffectResult;

/** How it goes on by itself. */
export type Pace = Pick<LedgerOrder, 'concurrency' | 'agent' | 'fallback'>;
/** How far a task had come elsewhere. */
export type Standing = {
  task: string;
  status: Exclude<TaskStatus, 'in_progress'>;
  owner: string;
  attempt: number;
  code: ErrorCode | null;
  reason: string | null;
};

/** What keeps the whole ledger from going on. */
export type Halt = { why: 'limit' | 'merge' | 'plan'; reason: string };

export type LedgerEvent = { atMs: number } & (
  | { type: 'LedgerOpened'; order: LedgerOrder }
  /** In portions: a plan may have thousands. */
  | { type: 'TasksPlanned'; tasks: readonly PlanTask[] }
  | { type: 'TaskRestored'; standing: Standing }
  | ({ type: 'LedgerBegun' } & Pace)
  /** `own`: by an agent that Baton asks. */
  | { type: 'TaskAssigned'; task: string; owner: string; attempt: number; epoch: number | null; own: boolean }
  /** What an attempt has come to; `work` is merged before it counts. */
  | ({
      type: 'ResultTaken';
      task: string;
      attempt: number;
      status: TaskOutcome['status'];
      code: ErrorCode | null;
      work: TaskReport['work'];
      usage: Usage;
      activeMs: number;
    } & Shown)
  | {
      type: 'TaskMoved';
      task: string;
      to: TaskStatus;
      code: ErrorCode | null;
      reason: string | null;
      /** Of its work on the branch. */
      commit?: string;
      /** Where it is sent back. */
      notBeforeMs?: number;
    }
  /** It is tried again, not before a time. */
  | ({ type: 'TaskRequeued'; task: string; code: ErrorCode; reason: string; notBeforeMs: number } & Again)
  | { type: 'TaskDue'; task: string }
  | { type: 'DeltaTaken'; delta: Delta }
  /** A run of an attempt has ended. */
  | { type: 'AttemptEnded'; run: string }
  | { type: 'AttemptToldToStop'; run: string }
  | { type: 'BlockerAsked'; question: number; task: string; code: ErrorCode; reason: string }
  | { type: 'BlockerAnswered'; question: number; answer: BlockerAnswer | null }
  | ({ type: 'LedgerHalted'; question: number } & Halt)
  | { type: 'LedgerResumed'; question: number }
  | { type: 'LimitsRaised'; limits: Limits }
  | { type: 'StewardNotified'; question: number }
  | { type: 'PlanningBegun'; number: number; agent: string }
  /** `deltas` are taken one by one afterwards. A plan that cannot be used says why. */
  | {
      type: 'PlanTaken';
      number: number;
      deltas: readonly Delta[];
      code: ErrorCode | null;
      reason: string | null;
      usage: Usage;
      activeMs: number;
    }
  /** A delta of a plan was taken, or why it was not. */
  | { type: 'DeltaSettled'; delta: string; code: ErrorCode | null; reason: string | null }
  /** It is time to look who is silent; and when it is time again, null when there is nobody to look after. */
  | { type: 'WatchBegun' }
  | { type: 'WatchEnded'; nextMs: number | null }
);

/** What is different at the next try; nothing for the first one. */
export type Again = { agent?: string; alone?: true; timeoutSeconds?: number; afresh?: true };
