import { remaining } from '../kernel/budget.js';
import type { BodyRef, Effect } from '../kernel/effect.js';
import type { CallKind, SessionOrder, Where } from './session-messages.js';
import type { Call, CallDeed, LiveSession, SessionTask } from './session-state.js';
import { nextToBegin, standingCalls } from './standing-calls.js';

export const TURN_COMPOSER = 'session-turn';
export const TURN_READER = 'session-turn';
export const JUDGE_DEED = 'session.judge';
/** Ends a patch that was called off. */
export const SETTLE_DEED = 'session.settle';
export const DO_DEED = { exec: 'session.exec', patch: 'session.patch', mcp: 'session.mcp' } as const;

/** Where the thread is when the model is asked; what is in it is read from there. */
export type TurnFacts = {
  turn: number;
  attempt: number;
  /** The place of the last response, and how much was said since. */
  head: number | null;
  pending: number;
  compacts: boolean;
  /** Of a summary: how much shorter the thread is than by our own guess. */
  harder?: number;
  /** All of the thread that is known here is sent, whatever its provider keeps. */
  whole?: true;
};
export type TurnReadingFacts = { turn: number; attempt: number };

type Policy = Pick<SessionOrder, 'cwd' | 'approval' | 'sandbox' | 'tools' | 'project' | 'agent'>;

/** `output` holds the calls, by the model's own names. */
export type JudgeFacts = {
  task: string;
  output: BodyRef;
  policy: Policy;
  calls: readonly { id: string; callId: string; tool: string; custom: boolean }[];
};
/** All that a deed needs: what was judged is what is done. */
export type DeedFacts = {
  task: string;
  call: string;
  kind: CallKind;
  plan: BodyRef;
  where: Where;
  hash: string;
  policy: Policy;
  /** What is left of the time of the session, where that is limited. */
  msMax?: number;
};

export const turnKey = ({ turn }: SessionTask): string => `turn-${turn}`;
export const pauseKey = ({ turn, tries }: SessionTask): string => `pause-${turn}-${tries}`;
export const judgeKey = ({ turn }: SessionTask): string => `judge-${turn}`;
export const beginKey = (call: string): string => `begin-${call}`;
export const deedKey = ({ id }: Pick<Call, 'id'>): string => id;
export const settleKey = ({ call }: Pick<DeedFacts, 'call'>): string => `settle-${call}`;
export const noticeKey = ({ id }: Pick<Call, 'id'>): string => `notice-${id}`;

export function* sessionEffects(session: LiveSession): Iterable<Effect> {
  const { task, unsettled } = session;
  for (const facts of unsettled) yield { type: 'Perform', key: settleKey(facts), deed: SETTLE_DEED, input: facts };
  if (!task || unsettled.length > 0) return;
  switch (task.stage.name) {
    case 'asking':
    case 'compacting':
      yield turnAsk(session, task, task.stage);
      return;
    case 'pausing':
      yield { type: 'Wake', key: pauseKey(task), atMs: task.stage.untilMs };
      return;
    case 'judging':
      yield { type: 'Perform', key: judgeKey(task), deed: JUDGE_DEED, input: judgeFacts(session, task) };
      return;
    case 'working':
      for (const call of task.calls.values()) yield* callEffects(session, task, call);
      yield* beginning(task);
  }
}

/** A person has allowed it, and only the owner may begin it. */
function* beginning(task: SessionTask): Iterable<Effect> {
  const next = nextToBegin(standingCalls(task));
  if (next !== undefined) yield { type: 'Wake', key: beginKey(next), atMs: 0 };
}

function turnAsk(
  { order, head, pending }: LiveSession,
  task: SessionTask,
  stage: { name: 'asking' | 'compacting'; deadlineMs: number },
): Effect {
  const { turn, attempt, harder } = task;
  const compacts = stage.name === 'compacting';
  const facts: TurnFacts = {
    ...{ turn, attempt, head, pending: pending.length, compacts },
    ...(compacts && harder > 0 && { harder }),
  };
  const reading: TurnReadingFacts = { turn, attempt };
  return {
    ...{ type: 'Ask', key: turnKey(task), agent: order.agent, attempt, deadlineMs: stage.deadlineMs },
    pays: order.project,
    request: { composer: TURN_COMPOSER, from: facts },
    reading: { reader: TURN_READER, from: reading },
  };
}

function policyOf({ cwd, approval, sandbox, tools, project, agent }: SessionOrder): Policy {
  return { cwd, approval, sandbox, tools, project, agent };
}

function judgeFacts({ order, nodes, head }: LiveSession, { id, calls }: SessionTask): JudgeFacts {
  const output = head === null ? null : nodes[head]?.output;
  if (!output) throw new Error('calls are judged only after a response');
  return {
    task: id,
    output,
    policy: policyOf(order),
    calls: [...calls.values()].map(({ id: call, callId, tool, custom }) => ({ id: call, callId, tool, custom })),
  };
}

function* callEffects({ order, spent }: LiveSession, task: SessionTask, call: Call): Iterable<Effect> {
  const { stage, deed } = call;
  if (!deed) return;
  if (stage.name === 'waiting' && !stage.notified) {
    yield { type: 'Notify', key: noticeKey(call), title: questionOf(deed) };
  }
  if (stage.name !== 'running') return;
  const msMax = remaining(order.limits, spent, 'activeMs');
  const facts: DeedFacts = {
    ...deedFacts(order, task, { id: call.id, deed }),
    ...(Number.isFinite(msMax) && { msMax }),
  };
  yield { type: 'Perform', key: deedKey(call), deed: DO_DEED[deed.kind], input: facts };
}

export function deedFacts(
  order: SessionOrder,
  { id: task }: Pick<SessionTask, 'id'>,
  { id: call, deed: { kind, plan, where, hash } }: { id: string; deed: CallDeed },
): DeedFacts {
  return { task, call, kind, plan, where, hash, policy: policyOf(order) };
}

export function questionOf({ kind, title, where }: Pick<CallDeed, 'kind' | 'title' | 'where'>): string {
  const place = where === 'outside' ? ' outside of the sandbox' : '';
  if (kind === 'patch') return `May it change ${title}?`;
  return kind === 'mcp' ? `May it use ${title}?` : `May it run ${title}${place}?`;
}
