import type { JobHistory } from '../generated/types/job-history.js';
import type { JobManifest } from '../generated/types/job-manifest.js';
import type { Run } from './run-shapes.js';

/** A job as every command and route shows it. */
export type JobObject = {
  job_id: string;
  run_id: string;
  status: JobManifest['status'];
  current_phase: string | null;
  reason: string | null;
  handoff: string | null;
  workspace: string;
  branch: string | null;
  metrics: {
    cumulative_cost: number;
    cumulative_time_seconds: number;
    cost_usd: number;
    tokens: number;
    handoffs: number;
  };
  waiting_for: number | null;
};

/** A job as boards show it. `phase` counts from 0; a limit that is absent or 0 is none. */
export type JobCard = Run & {
  phases: readonly { name: string; role: string }[];
  phase: number;
  limits: { cost_usd?: number; time_minutes?: number; tokens?: number; interactions?: number };
  rank: number;
  after: readonly string[];
  now: string;
};

/** What an agent printed in an attempt; null: nobody was asked yet. `ended`: it prints no more. */
export type JobLog = {
  run_id: string;
  handoff: string | null;
  attempt: number | null;
  text: string;
  /** The byte behind it. */
  next: number;
  ended: boolean;
};

/** A text that is kept by its hash. */
export type BodyRef = { sha256: string; bytes: number };
export type Check = { argv: readonly string[]; exitCode: number | null; ms: number; output: BodyRef };
export type Evidence = { path: string; bytes: number; modifiedAt: string; sha256: string };
export type RecoveryPoint = { id: string; description: string; commit: string | null; event: number; at: string };
/** Limits and what is spent of them; a limit of 0 is none. */
export type Amounts = { cost_usd: number; tokens: number; seconds: number; handoffs: number };

/** A job as it was behind `event`; `events` is how many there are by now. */
export type JobView = {
  job_id: string;
  event: number;
  events: number;
  at: string;
  author: string | null;
  status: JobManifest['status'];
  current_phase: string | null;
  reason: string | null;
  handoff: string | null;
  /** What is under way inside its status, and why it rests when it does. */
  stage: string;
  why: string | null;
  branch: string | null;
  base: string | null;
  commit: string | null;
  order: {
    title: string;
    prompt: BodyRef;
    approval: boolean;
    checks: readonly (readonly string[])[];
    protect: readonly string[];
    repository: string | null;
    phases: readonly { name: string; role: string; agent: string }[];
    forked_from: { job: string; point: string } | null;
  };
  limits: Amounts;
  spent: Amounts;
  /** When the first attempt was asked. */
  began_at: string | null;
  /** When whoever works on it now was asked. */
  asked_at: string | null;
  /** How many attempts were asked; see the relay. */
  attempts: number;
  moves: readonly { from: string; to: string; times: number }[];
  /** Of the last attempt that was checked. */
  checks: readonly Check[];
  /** The newest ones, the oldest of them first. */
  points: readonly RecoveryPoint[];
  points_taken: number;
  waits_since: string | null;
  costs: readonly { phase: string; attempts: number; cost_usd: number; lost_usd: number }[];
  /** One letter for each `per` events: `x` a failure, `h` a handoff, `.` the rest. */
  ticks: { per: number; marks: string };
  /** How bringing it home goes now, whatever moment is looked at. */
  landing: { run_id: string; status: string; outcome: LandOutcome | null } | null;
};

export type LandOutcome =
  | { type: 'landed'; from: string; to: string; ref: string; files: number }
  | { type: 'conflict'; files: readonly string[] }
  | { type: 'checks-failed'; results: readonly Check[] }
  | { type: 'moved' }
  | { type: 'refused'; reason: string };

export type RelayVerdict = 'COMPLETED' | 'RETRY' | 'STUCK' | 'LOST' | 'FAILED' | 'ASKED';

/** One attempt of a job. `event` is where it begins in the log, `last_event` where its last word stands. */
export type RelayRow = {
  sequence: number;
  handoff: string;
  attempt: number;
  phase: string;
  role: string;
  agent: string;
  by_hand: boolean;
  epoch: number | null;
  event: number;
  last_event: number;
  asked_at: string;
  ended_at: string | null;
  /** What Baton made of it; null while it is under way. */
  verdict: RelayVerdict | null;
  reason: string | null;
  tokens: number;
  cost_usd: number;
  thread: string | null;
  request: BodyRef | null;
  answer: BodyRef | null;
  summary: BodyRef | null;
  /** How the summary begins. */
  summary_text: string | null;
  checks: readonly Check[];
  evidence: readonly Evidence[];
  missing: readonly string[];
  /** What this attempt changed, and between which commits that is. */
  changed: { files: number; added: number; removed: number } | null;
  commits: { from: string; to: string } | null;
};

export type History = Exclude<JobHistory, readonly unknown[]>;
