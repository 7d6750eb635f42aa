/** A run of whatever kind, as lists show it. */
export type Run = {
  run_id: string;
  kind: string;
  status: string;
  title: string;
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
