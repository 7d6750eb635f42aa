import type { Decider } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { decideSession } from './session-decide.js';
import { questionOf, sessionEffects } from './session-effects.js';
import { evolveSession } from './session-evolve.js';
import type { SessionCommand, SessionEvent } from './session-messages.js';
import type { LiveSession, SessionRun } from './session-state.js';
import { isWaiting } from './standing-calls.js';

/** Contract 004: one conversation with a model that has hands. */
export const sessionDecider: Decider<SessionCommand, SessionEvent, SessionRun> = {
  kind: 'session',
  version: 2,
  initialState: () => ({ status: 'new' }),
  decide: decideSession,
  evolve: evolveSession,
  outstanding: (session) => (session.status === 'new' ? [] : sessionEffects(session)),
  summary,
  inbox,
  snapshot: { encode, decode },
};

export function statusOf(session: LiveSession): 'idle' | 'running' | 'waiting' | 'closed' {
  if (session.status === 'closed') return 'closed';
  if (!session.task) return 'idle';
  return isWaiting(session) ? 'waiting' : 'running';
}

function summary(session: Readonly<SessionRun>): RunSummary {
  if (session.status === 'new') throw new Error('a session has no row before it is set up');
  const { order, task, spent, title, entries, unsettled } = session;
  const waits = task ? [...task.calls.values()].filter(({ stage }) => stage.name === 'waiting') : [];
  const isPausing = task?.stage.name === 'pausing';
  const isNoticed = waits.every(({ stage }) => stage.name === 'waiting' && stage.notified);
  return {
    status: statusOf(session),
    title: title || `session in ${order.cwd}`,
    agent: order.agent,
    project: order.project,
    parent: order.parent,
    owes: unsettled.length > 0 || (task !== null && !isPausing && !(isWaiting(session) && isNoticed)),
    wakeAtMs: task?.stage.name === 'pausing' ? task.stage.untilMs : null,
    waitingFor: waits[0]?.deed ? (waits[0].deed.kind === 'patch' ? 'patch_approval' : 'exec_approval') : null,
    ended: false,
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: spent.asks,
    text: `${title} ${order.cwd} ${order.model} ${entries.length}`,
  };
}

function inbox(event: SessionEvent): InboxChange | undefined {
  if (event.type === 'ApprovalAsked') {
    const kind = event.kind === 'patch' ? 'patch_approval' : 'exec_approval';
    return { open: { key: event.call, kind, title: event.title, question: questionOf(event) } };
  }
  return event.type === 'ApprovalResolved' ? { close: event.call } : undefined;
}

type Kept = Record<string, unknown> & { status: string };

function encode(session: Readonly<SessionRun>): unknown {
  if (session.status === 'new') return session;
  const { task, byResponse, approved } = session;
  return {
    ...session,
    byResponse: [...byResponse],
    approved: [...approved],
    task: task && { ...task, calls: [...task.calls] },
  };
}

function decode(json: unknown): SessionRun {
  const kept = json as Kept;
  if (kept.status === 'new') return { status: 'new' };
  const { task, byResponse, approved } = kept as Kept & { task: { calls: [] } | null; byResponse: []; approved: [] };
  return {
    ...kept,
    byResponse: new Map(byResponse),
    approved: new Set(approved),
    task: task && { ...task, calls: new Map(task.calls) },
  } as unknown as LiveSession;
}
