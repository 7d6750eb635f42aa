import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { JobHistory } from '../contracts/generated/types/job-history.js';
import type { JobManifest } from '../contracts/generated/types/job-manifest.js';
import type { RuleOrderBody } from '../contracts/generated/types/rule-order.js';
import type { TokenOrderBody } from '../contracts/generated/types/token-order.js';

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
  metrics: { cost_usd: number; tokens: number; seconds: number; handoffs: number };
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

/** `account`: whose limits and whose loss concern it. */
export type Agent = Partial<AgentRegistration> & {
  id: string;
  adapter: string;
  status: string;
  login?: string;
  account?: string;
};
export type Token = Pick<TokenOrderBody, 'name' | 'role'> & {
  agent: string | null;
  created_at: string;
  expires_at: string | null;
};
export type CostKey = 'agent' | 'model' | 'project' | 'day' | 'run' | 'kind';
export type CostRow = { key: string; cost_usd: number; wasted_usd: number; tokens: number; handoffs: number };
/** `project` null is everything on this store; a limit that is null is none. */
export type Budget = {
  project: string | null;
  per: string;
  limit_usd: number | null;
  spent_usd: number;
  left_usd: number | null;
  limit_tokens: number | null;
  spent_tokens: number;
  left_tokens: number | null;
  resets_at: string;
};
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
  store: { kind: string; bytes: number; growth: { days: number; events: number; bytes: number } };
  /** What the last check of the whole log found, since when it was intact, and how far the one under way is. */
  chain: {
    last: {
      ok: boolean;
      runs: number;
      events: number;
      position: number;
      at: string;
      finding: { says: string; run_id?: string; seq?: number; position?: number } | null;
    } | null;
    intact_since: string | null;
    checking: { position: number; of: number } | null;
  };
  workers: readonly {
    worker: string;
    host: string | null;
    beat: number | null;
    alive: boolean;
    leases: readonly { run: string; epoch: number }[];
  }[];
  /** Of this day in UTC. */
  today: { cost_usd: number; wasted_usd: number; events: number };
  sandbox: { mode: string; holds: boolean; why: string | null; setup: string };
  four_eyes: boolean;
  /** Which runs have which paths of which repository. */
  locks: readonly { holder: string; scope: string; resources: readonly string[] }[];
  logins: readonly { login: string; state: 'lost' | 'limited'; until: string }[];
  adapters: readonly { id: string; login: string }[];
  notifiers: readonly { name: string; kind: string }[];
  versions: { baton: string; node: string; os: string };
};

/** A job as boards show it. `phase` counts from 0; a limit that is absent or 0 is none. */
export type JobCard = Run & {
  phases: readonly { name: string; role: string }[];
  phase: number;
  limits: { cost_usd?: number; time_minutes?: number; tokens?: number };
  rank: number;
  after: readonly string[];
  now: string;
};
