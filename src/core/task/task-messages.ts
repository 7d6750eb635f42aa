import type { ErrorCode } from '../../contracts/shared/errors.js';
import type { Workspace } from '../job/job-deeds.js';
import type { BodyRef, EffectResult, FailureKind, Usage, Verdict, Wanted } from '../kernel/effect.js';
import type { PlanOutcome, PlanReading, TaskReading } from './task-deeds.js';
import type { TaskOrder } from './task-order.js';

/** What the ledger is told of an attempt. */
export type TaskReport = {
  task: string;
  attempt: number;
  outcome: TaskReading['outcome'];
  /** What is to be merged; null when nothing is. */
  work: { base: string; commit: string } | null;
  proven: number;
  worklog: BodyRef | null;
  usage: Usage;
  activeMs: number;
};

/** The same, of whoever was asked for a plan. */
export type PlanReport = { plan: number; outcome: PlanOutcome; usage: Usage; activeMs: number };

export type TaskCommand =
  | { type: 'Begin'; atMs: number; order: TaskOrder }
  /** The ledger waits for it no more. */
  | { type: 'Stop'; atMs: number; reason: string }
  | { type: 'Decide'; atMs: number; question: number; decision: Verdict['decision']; guidance: string | null }
  | EffectResult;

export type TaskEnd = 'reported' | 'stopped';

/** Named like those of a job where they say the same, so that costs and logs are read in one way. */
export type TaskEvent = { atMs: number } & (
  | { type: 'TaskBegun'; order: TaskOrder }
  | ({ type: 'WorkspacePrepared'; notes: readonly string[]; sandbox?: string } & Workspace)
  | { type: 'HandoffAsked'; handoff: string; attempt: number; agent: string; deadlineMs: number }
  | { type: 'HandoffParked'; handoff: string; reason: string; untilMs: number }
  | { type: 'HandoffUnparked'; handoff: string }
  | {
      type: 'HandoffAnswered';
      handoff: string;
      answer: BodyRef;
      request: BodyRef | null;
      usage: Usage;
      thread?: string;
    }
  | { type: 'HandoffCollected'; handoff: string; reading: TaskReading | Omit<PlanReading, 'outcome'> }
  | {
      type: 'HandoffEnded';
      handoff: string;
      attempt: number;
      response: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
      action: 'COMPLETED' | 'RETRY' | 'STUCK';
      cause: FailureKind | 'lost' | 'asked' | 'stopped' | null;
      reason: string | null;
      request: BodyRef | null;
      /** Only of what had no answer. */
      usage: Usage;
      thread?: string;
      /** When it is asked again; null when it is not. */
      againMs: number | null;
    }
  | { type: 'ApprovalAsked'; handoff: string; wanted: Wanted; question: number }
  | { type: 'ApprovalAnswered'; question: number; verdict: Verdict }
  | { type: 'StewardNotified'; question: number }
  | { type: 'PauseEnded' }
  /** Whoever works is ended first: what it had used is not known before. */
  | { type: 'TaskStopping'; reason: string }
  | { type: 'TaskReported'; report: TaskReport | PlanReport; code: ErrorCode | null }
  | { type: 'TaskEnded'; end: TaskEnd; reason: string | null; question: number | null }
);
