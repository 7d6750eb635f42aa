import type { RequestFacts } from '../../core/job/job-effects.js';
import type { Cause, Rest, RestingStatus } from '../../core/job/job-messages.js';
import type { Action, JobStatus } from '../../core/job/job-status.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import type { LimitOptions } from '../job/job-options.js';

/** What moved a job between two attempts, spelt as the history shows it. All but the first two are people's acts. */
export type Between = { at: string } & (
  | { what: 'workspace'; seconds: number }
  | { what: 'rest'; status: RestingStatus; why: Rest }
  /** `during`: while somebody worked, whose time was set before. */
  | { what: 'limits'; limits: LimitOptions; during?: true }
  | { what: 'approve' }
  | { what: 'resubmit' | 'reject' | 'raise' | 'restep' | 'rerun' | 'rollback'; phase: string }
);

/** One attempt of a handoff that is over. Texts are named, not contained. */
export type EndedAttempt = {
  sequence: number;
  handoff: string;
  attempt: number;
  askedAtMs: number;
  stateBefore: JobStatus;
  role: string;
  phase: string;
  agent: string;
  /** Null before there is one. */
  workspace: string | null;
  /** What a request would be made of; null when it was answered by hand before there was a workspace. */
  facts: RequestFacts | null;
  /** Null when it was not recorded: the attempt was lost, or answered by hand. */
  request: BodyRef | null;
  answer: BodyRef | null;
  summary: BodyRef | null;
  /** As the agent named them, whether they exist or not. */
  evidence: readonly string[];
  /** What the workspace held, where `evidence` is only its beginning. */
  whole: BodyRef | null;
  contextFiles: readonly string[];
  byHand: boolean;
  response: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  action: Action;
  cause: Cause | null;
  reason: string | null;
  costMicroUsd: number;
  tokens: number;
  activeMs: number;
  /** How long it waits before it is asked again; null when it is not. */
  waitMs: number | null;
  status: JobStatus;
  since: readonly Between[];
};
