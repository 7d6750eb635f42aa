/** What the console reads of the events of a job. A field that is not there is not shown. */
type Body = { sha256: string; bytes: number };
export type Usage = { inputTokens: number; outputTokens: number; costMicroUsd: number };
export type Limits = { costMicroUsd?: number; tokens?: number; activeMs?: number; asks?: number };
export type Phase = { name: string; role: string; agent: string };
export type Order = {
  title: string;
  prompt: Body;
  phases: readonly Phase[];
  limits: Limits;
  approval: boolean;
  repository: { folder: string } | null;
  checks: readonly (readonly string[])[];
};
export type Evidence = { path: string; bytes: number; sha256: string };
export type Check = { argv: readonly string[]; exitCode: number | null; ms: number; output: Body };
export type Point = { id: string; description: string; commit: string | null };

export type JobEventData = {
  atMs: number;
  order?: Order;
  handoff?: string;
  attempt?: number;
  sequence?: number;
  phase?: string;
  agent?: string;
  stateBefore?: string;
  usage?: Usage;
  reading?: {
    evidence: readonly Evidence[];
    missing: readonly string[];
    unnamed: readonly string[];
    changed: { files: number; added: number; removed: number };
  };
  checked?: { results: readonly Check[] };
  response?: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  action?: string;
  cause?: string | null;
  reason?: string | null;
  status?: string;
  why?: string;
  limits?: Limits;
  next?: { to: string; status?: string };
  point?: Point;
};
