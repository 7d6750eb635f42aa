import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { JobHistory } from '../contracts/generated/types/job-history.js';
import type { JobManifest } from '../contracts/generated/types/job-manifest.js';
import type { RuleOrderBody } from '../contracts/generated/types/rule-order.js';

export type Page<Item> = { items: readonly Item[]; next: string | null };

export type Run = {
  run_id: string;
  kind: string;
  status: string;
  title: string | null;
  agent: string | null;
  project: string | null;
  parent: string | null;
  owes: boolean;
  ended: boolean;
  /** The item of the inbox it waits for. */
  waiting_for: number | null;
  waits_for: string | null;
  metrics: { cost_usd: number; tokens: number };
  wake_at: string | null;
  version: number;
  head: string;
  epoch: number;
  owner: string | null;
  created_at: string;
  updated_at: string;
};

/** What an agent printed. `ended`: it prints no more. */
export type JobLog = { text: string; next: number; ended: boolean };

export type Job = {
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

/** `data` is what an event of its type says; see the events of each contract. */
export type RunEvent = {
  position: number;
  run_id: string;
  seq: number;
  type: string;
  at: string;
  actor: string;
  data: unknown;
  hash: string;
};

export type InboxItem = {
  item: number;
  run_id: string;
  kind: string;
  status: 'open' | 'closed';
  title: string;
  question: string;
  created_at: string;
  expires_at: string | null;
  details: Readonly<Record<string, unknown>>;
  /** Who began the run that asks. */
  made_by: string | null;
  /** Why whoever looks may not answer it. */
  barred: string | null;
  answered: { by: string; at: string; did: string } | null;
};

/** What came of an answer; the job's own fields are there when it was about one. */
export type Answered = Partial<Job> & { item: number; said: string };

export type Agent = Partial<AgentRegistration> & { id: string; adapter: string; status: string; login?: string };
export type Rule = RuleOrderBody & { id: string; author?: string };
export type History = Exclude<JobHistory, readonly unknown[]>;
export type Verified = { ok: true; runs: number; events: number; batches: number; position: number; hash: string };
export type SignedHead = {
  kind: 'baton-head';
  position: number;
  batch: number;
  hash: string;
  events: number;
  runs: number;
  at: string;
  public_key: string;
  signature: string;
};
export type Whoami = { name: string; role: string; agent: string | null; version: string; may: readonly string[] };
export type System = {
  now: string;
  position: number;
  store: { kind: string; bytes: number };
  sandbox: { mode: string; holds: boolean; why: string | null; setup: string };
  four_eyes: boolean;
  logins: readonly { login: string; state: 'lost' | 'limited'; until: string }[];
};
