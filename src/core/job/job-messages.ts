import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, FailureKind, Usage, Verdict, Wanted } from '../kernel/effect.js';
import type { CheckedWork, Prepared, Reading } from './job-deeds.js';
import type { AnswerFault } from './job-matrix.js';
import type { JobOrder } from './job-order.js';
import type { Action, JobStatus } from './job-status.js';

/** Why a job rests until a person acts. */
export type Rest =
  | 'stuck'
  | 'approval'
  | 'limit'
  | 'tries'
  | 'workspace'
  | 'protected'
  | 'provider'
  | AnswerFault
  | Exclude<FailureKind, 'limit' | 'spent'>;
export type RestingStatus = 'INTERVENTION_REQUIRED' | 'HALTED_COST' | 'HALTED_TIME';

/** Why an attempt is not what the agent said, or why it said nothing. */
export type Cause =
  | FailureKind
  | AnswerFault
  | 'check'
  | 'tries'
  | 'protected'
  | 'workspace'
  | 'lost'
  | 'told'
  | 'asked';

export type RecoveryPoint = {
  id: string;
  /** The interaction after which it was taken; -1 before the first. */
  sequence: number;
  /** The phase that is due after going back to it. */
  resumePhase: string;
  commit: string | null;
  description: string;
  /** Which files a rollback restores; none means all. */
  files?: readonly string[];
  /** What showed that the phase before it was done; absent when it was taken by hand. */
  proof?: { evidence: number; checks: number };
};

/** What an attempt has used so far, as it was metered, and its conversation. */
export type UsedSoFar = { handoff: string; attempt: number; usage: Usage; thread?: string };

export type JobCommand =
  | { type: 'Submit'; atMs: number; order: JobOrder; activate: boolean }
  | { type: 'Activate'; atMs: number }
  /** `used` is of the agent that is called off. */
  | { type: 'Cancel'; atMs: number; used?: UsedSoFar }
  | { type: 'Terminate'; atMs: number }
  | { type: 'Resubmit'; atMs: number; guidance: BodyRef | null; phase: string | null }
  | { type: 'Approve'; atMs: number }
  | { type: 'Reject'; atMs: number; guidance: BodyRef | null; phase: string | null }
  | { type: 'Raise'; atMs: number; limits: Limits }
  | { type: 'PostStep'; atMs: number; handoff: string | null; role: string; answer: BodyRef; used?: UsedSoFar }
  /** What a person says to a question of the agent; `question` is which. */
  | { type: 'Decide'; atMs: number; question: number; decision: Verdict['decision']; guidance: string | null }
  /** `now` does not wait until whoever works has answered. */
  | { type: 'Advise'; atMs: number; advice: BodyRef; now: boolean; used?: UsedSoFar }
  | { type: 'NotePullRequest'; atMs: number; url: string }
  | { type: 'Checkpoint'; atMs: number; description: string; files?: readonly string[] }
  /** `older`: the point as the log has it, when the state has not kept it. */
  | { type: 'Rollback'; atMs: number; point: string; files: readonly string[]; older?: RecoveryPoint }
  | { type: 'Restep'; atMs: number; phase: string }
  | { type: 'Rerun'; atMs: number }
  /** On until it rests, or for one handoff; a draft is activated for that. */
  | { type: 'Go'; atMs: number; steps: 1 | null }
  /** Its place in the queue. */
  | { type: 'Rank'; atMs: number; rank: number }
  | EffectResult;

/** Where a job goes when an attempt has ended. A rest is told by `JobRested` behind it. */
export type Next =
  | { to: 'phase'; status: 'PENDING' | 'RUNNING' | 'REVIEWING'; phase: string }
  | { to: 'again'; untilMs: number; status: JobStatus; agent?: string }
  /** `phase` is due when it goes on. */
  | { to: 'rest'; phase: string }
  | { to: 'success' };

export type JobEvent = { atMs: number } & (
  | { type: 'JobSubmitted'; order: JobOrder }
  | { type: 'JobActivated' }
  /** How many handoffs may still begin; null is as many as it takes. */
  | { type: 'PaceSet'; steps: number | null }
  | { type: 'PredecessorEnded'; run: string; status: string }
  | { type: 'PauseEnded' }
  /** Nobody was asked: a budget of the day is used up until then. */
  | { type: 'HandoffParked'; handoff: string; reason: string; untilMs: number }
  | { type: 'HandoffUnparked'; handoff: string }
  | ({ type: 'WorkspacePrepared' } & Extract<Prepared, { folder: string }>)
  | { type: 'WorkspaceFailed'; problem: string; output: BodyRef | null }
  | {
      type: 'HandoffAsked';
      handoff: string;
      attempt: number;
      /** Counts the attempts of a job from 0. */
      sequence: number;
      phase: string;
      agent: string;
      stateBefore: JobStatus;
      deadlineMs: number;
      /** Answered by hand: no agent is asked. */
      byHand: boolean;
      /** It is a person's turn, who is asked so in the inbox. */
      question?: number;
    }
  | {
      type: 'HandoffAnswered';
      handoff: string;
      answer: BodyRef;
      request: BodyRef | null;
      usage: Usage;
      question: number | null;
      /** The conversation with the agent, by its own name for it. */
      thread?: string;
    }
  | { type: 'protocol_violation'; handoff: string; reason: string }
  | { type: 'HandoffCollected'; handoff: string; reading: Reading }
  | { type: 'ChecksEnded'; handoff: string; checked: CheckedWork }
  | {
      type: 'HandoffEnded';
      handoff: string;
      attempt: number;
      response: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
      action: Action;
      cause: Cause | null;
      reason: string | null;
      /** Only when there was no answer: what was asked, and what it used. */
      request: BodyRef | null;
      usage: Usage;
      /** What the next try is told. */
      guidance: BodyRef | null;
      next: Next;
      /** The status of the job after this attempt. */
      status: JobStatus;
      thread?: string;
    }
  | { type: 'ApprovalAsked'; handoff: string; wanted: Wanted; question: number }
  | { type: 'ApprovalAnswered'; question: number; verdict: Verdict }
  | { type: 'LimitNear'; dimensions: readonly string[] }
  | { type: 'JobRested'; status: RestingStatus; why: Rest; question: number; handoff: string | null }
  | { type: 'StewardNotified'; question: number }
  | {
      type: 'JobResumed';
      by: 'resubmit' | 'reject' | 'raise';
      phase: string;
      guidance: BodyRef | null;
      question: number;
    }
  | { type: 'LimitsRaised'; limits: Limits }
  | { type: 'JobRanked'; rank: number }
  | { type: 'AdviceGiven'; advice: BodyRef }
  | { type: 'PullRequestNoted'; url: string }
  | { type: 'JobApproved'; question: number; next: Next }
  | { type: 'PointTaken'; point: RecoveryPoint }
  | {
      type: 'RollbackBegun';
      point: string;
      files: readonly string[];
      question: number | null;
      /** Only of a point the state has not kept. */
      older?: RecoveryPoint;
    }
  | { type: 'RolledBack'; point: string; restored: number; problem: string | null }
  | { type: 'PhaseSet'; phase: string; zeroed: boolean; question: number | null }
  | { type: 'JobCanceled'; question: number | null; used?: Usage }
);
