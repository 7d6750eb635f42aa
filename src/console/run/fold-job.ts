import type { RunEvent } from '../../client/index.js';
import type { Check, Evidence, JobEventData, Limits, Order, Point } from './job-events.js';

export type Handoff = {
  key: string;
  attempt: number;
  sequence: number;
  phase: string;
  role: string;
  agent: string;
  askedAtMs: number;
  endedAtMs: number | null;
  /** What Baton made of it; null while it is under way. */
  verdict: 'COMPLETED' | 'RETRY' | 'STUCK' | 'LOST' | 'FAILED' | null;
  reason: string | null;
  tokens: number;
  costMicroUsd: number;
  checks: readonly Check[];
  evidence: readonly Evidence[];
  missing: readonly string[];
};

export type JobView = {
  order: Order | null;
  author: string | null;
  limits: Limits;
  handoffs: Handoff[];
  /** Of the last attempt that was checked. */
  checks: readonly Check[];
  points: (Point & { at: string })[];
  status: string;
  /** How often it went from one status to another, by `FROM TO`. */
  moves: Map<string, number>;
  /** Since when it rests for a person. */
  restsSinceMs: number | null;
};

/** Everything the page of a job shows, from its events alone: so any earlier moment is the same with fewer of them. */
export function foldJob(events: readonly RunEvent[]): JobView {
  const view: JobView = {
    ...{ order: null, author: null, limits: {}, handoffs: [], checks: [], points: [], status: 'DRAFT' },
    ...{ moves: new Map(), restsSinceMs: null },
  };
  for (const event of events) fold(view, event, event.data as JobEventData);
  return view;
}

function fold(view: JobView, { type, at, actor }: RunEvent, data: JobEventData): void {
  const to = statusAfter(view, type, data);
  if (to !== undefined && to !== view.status) {
    const move = `${view.status} ${to}`;
    view.moves.set(move, (view.moves.get(move) ?? 0) + 1);
    view.status = to;
    view.restsSinceMs = null;
  }
  if (type === 'JobRested') view.restsSinceMs = data.atMs;
  if (type === 'JobSubmitted' && data.order) {
    view.order = data.order;
    view.limits = data.order.limits;
    view.author = actor;
  }
  if (type === 'LimitsRaised') view.limits = { ...view.limits, ...data.limits };
  if (type === 'PointTaken' && data.point) view.points.push({ ...data.point, at });
  if (type === 'HandoffAsked') view.handoffs.push(asked(view, data));
  else if (data.handoff !== undefined) foldHandoff(view, type, data);
}

function asked({ order }: JobView, data: JobEventData): Handoff {
  const { handoff: key = '', attempt = 1, sequence = 0, phase = '', agent = '', atMs } = data;
  const role = order?.phases.find(({ name }) => name === phase)?.role ?? '';
  return {
    ...{ key, attempt, sequence, phase, role, agent, askedAtMs: atMs, endedAtMs: null, verdict: null, reason: null },
    ...{ tokens: 0, costMicroUsd: 0, checks: [], evidence: [], missing: [] },
  };
}

function foldHandoff(view: JobView, type: string, data: JobEventData): void {
  const row = view.handoffs.findLast(({ key }) => key === data.handoff);
  if (!row) return;
  if (data.usage) {
    row.tokens += data.usage.inputTokens + data.usage.outputTokens;
    row.costMicroUsd += data.usage.costMicroUsd;
  }
  if (type === 'HandoffCollected' && data.reading) {
    row.evidence = data.reading.evidence;
    row.missing = data.reading.missing;
  }
  if (type === 'ChecksEnded' && data.checked) {
    row.checks = data.checked.results;
    view.checks = data.checked.results;
  }
  if (type === 'HandoffEnded') {
    row.endedAtMs = data.atMs;
    row.reason = data.reason ?? null;
    row.verdict = verdictOf(data);
  }
}

function verdictOf({ response, action, cause }: JobEventData): Handoff['verdict'] {
  if (cause === 'lost') return 'LOST';
  if (response !== 'SUCCESS') return 'FAILED';
  return action === 'COMPLETED' || action === 'RETRY' || action === 'STUCK' ? action : 'FAILED';
}

function statusAfter(view: JobView, type: string, data: JobEventData): string | undefined {
  switch (type) {
    case 'JobActivated':
    case 'JobResumed':
    case 'PhaseSet':
      return 'PENDING';
    case 'HandoffAsked':
      return asked(view, data).role === 'Supervisor' ? 'REVIEWING' : 'RUNNING';
    case 'HandoffEnded':
    case 'JobRested':
      return data.status;
    case 'JobApproved':
      return data.next?.to === 'success' ? 'SUCCESS' : data.next?.status;
    case 'JobCanceled':
      return 'CANCELED';
    default:
      return undefined;
  }
}
