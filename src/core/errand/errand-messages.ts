import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, FailureKind, Usage } from '../kernel/effect.js';

/** What an errand is: some steps asked of one agent, one after the other. */
export type ErrandOrder = {
  title: string;
  agent: string;
  request: BodyRef;
  steps: number;
  /** How often a step may be asked again after a network error or a crash. */
  retriesMax: number;
  stepTimeoutMs: number;
  limits: Limits;
  rank: number;
  /** Starts only when this run has ended. */
  after: string | null;
  /** Must exit 0 after the last step. */
  check: { argv: readonly string[]; cwd: string } | null;
  /** A human says yes before it counts as done. */
  review: boolean;
  /** Is told how this errand ended. */
  report: string | null;
};

export type ErrandCommand =
  | ({ type: 'Submit'; atMs: number } & ErrandOrder)
  | { type: 'Approve'; atMs: number }
  | { type: 'Reject'; atMs: number }
  | { type: 'Cancel'; atMs: number }
  | { type: 'Raise'; atMs: number; limits: Limits }
  | { type: 'Report'; atMs: number; from: string; status: string }
  | EffectResult;

/** Why an errand rests until a human acts. */
export type Stuck = 'review' | 'limit' | FailureKind | 'check';

export type ErrandEvent = { atMs: number } & (
  | ({ type: 'ErrandSubmitted' } & ErrandOrder)
  | { type: 'PredecessorEnded'; run: string; status: string }
  | { type: 'Queued' }
  | { type: 'StepAsked'; step: number; attempt: number; deadlineMs: number }
  | { type: 'StepAnswered'; step: number; answer: BodyRef; usage: Usage }
  | { type: 'StepFailed'; step: number; failure: FailureKind; reason: string; usage: Usage }
  | { type: 'StepLost'; step: number; usage: Usage }
  | { type: 'BackedOff'; untilMs: number }
  | { type: 'CheckStarted'; number: number; deadlineMs: number }
  | { type: 'CheckEnded'; exitCode: number | null; output: BodyRef }
  | { type: 'CheckLost' }
  | { type: 'HumanAsked'; number: number; why: Stuck }
  | { type: 'HumanNotified' }
  | { type: 'HumanAnswered'; number: number; approved: boolean }
  | { type: 'LimitsRaised'; limits: Limits }
  | { type: 'ReportReceived'; from: string; status: string }
  | { type: 'ReportDelivered' }
  | { type: 'ErrandDone' }
  | { type: 'ErrandFailed'; why: string }
  | { type: 'ErrandCanceled' }
);
