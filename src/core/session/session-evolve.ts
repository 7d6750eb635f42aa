import { addSpent } from '../kernel/budget.js';
import type { Usage } from '../kernel/effect.js';
import { deedFacts } from './session-effects.js';
import type { JudgedCall, LeftOut, NewInput, SessionEvent, ThreadNode } from './session-messages.js';
import {
  type Call,
  callNumber,
  hardnessOf,
  type LiveSession,
  newSession,
  type SessionRun,
  type SessionTask,
} from './session-state.js';

const APPROVED_MAX = 1_000;

export function evolveSession(state: SessionRun, event: SessionEvent): SessionRun {
  if (event.type === 'SessionConfigured') return configured(state, event);
  if (state.status === 'new') return state;
  const { task } = state;
  switch (event.type) {
    case 'TaskStarted':
      return startTask(state, event);
    case 'HistoryAdded':
      state.entries.push(event.entry);
      return state;
    case 'SessionClosed':
      state.status = 'closed';
      return state;
    case 'PatchSettled':
      state.unsettled = state.unsettled.filter(({ call }) => call !== event.call);
      return state;
    case 'LimitNeared':
      state.warned = [...state.warned, event.what];
      return state;
    default:
      if (task) evolveTask(state, task, event);
      return state;
  }
}

function configured(state: SessionRun, event: Extract<SessionEvent, { type: 'SessionConfigured' }>): LiveSession {
  const { order, thread } = event;
  const session = state.status === 'new' ? newSession(order) : state;
  session.status = 'open';
  session.order = order;
  session.warned = [];
  if (thread) {
    const { responseId, nodes, outcome } = thread;
    session.pending = [...outcome];
    session.contextTokens = 0;
    addNode(session, { parent: null, origin: null, responseId, input: [], output: null, copied: nodes, outcome });
  }
  return session;
}

function startTask(session: LiveSession, event: Extract<SessionEvent, { type: 'TaskStarted' }>): LiveSession {
  const { id, at, items, entry, from, compacts, deadlineMs } = event;
  session.status = 'open';
  session.tasks += 1;
  if (session.title === '') session.title = event.title;
  if (from !== null) {
    const place = session.byResponse.get(from);
    session.head = place ?? null;
    session.origin = place === undefined ? from : null;
    session.pending = place === undefined ? [] : [...(session.nodes[place]?.outcome ?? [])];
    session.contextTokens = 0;
  }
  if (items) session.pending.push({ type: 'items', items });
  if (entry) session.entries.push(entry);
  session.turns += 1;
  session.task = {
    ...{ id, compacts, turn: session.turns, attempt: 1, tries: 0, turns: 0, calls: new Map() },
    stage: { name: compacts ? 'compacting' : 'asking', askedMs: at, deadlineMs },
    ...{ responseId: null, message: null, contextTokens: session.contextTokens, justCompacted: false },
    harder: hardnessOf(session),
  };
  return session;
}

function evolveTask(session: LiveSession, task: SessionTask, event: SessionEvent): void {
  switch (event.type) {
    case 'MessageSaid':
      task.message = event.said;
      return;
    case 'ResponseReceived':
      received(session, task, event);
      return;
    case 'TurnEnded':
      keepOutcome(session, task);
      task.calls = new Map();
      nextTurn(session, task, event);
      return;
    case 'TurnRestarted': {
      // What failed before a pause was counted when the pause was planned.
      spend(session, event, task.stage.name === 'pausing' ? 0 : 1);
      const compacts = task.stage.name === 'compacting' || (task.stage.name === 'pausing' && task.stage.compacts);
      task.attempt += 1;
      task.stage = { name: compacts ? 'compacting' : 'asking', askedMs: event.at, deadlineMs: event.deadlineMs };
      return;
    }
    case 'RetryPlanned': {
      spend(session, event);
      const compacts = task.stage.name === 'compacting';
      task.tries = event.tries;
      task.stage = { name: 'pausing', untilMs: event.untilMs, itemIds: event.itemIds, compacts };
      return;
    }
    case 'CompactionBegun':
      if (event.spent) spend(session, event.spent);
      nextTurn(session, task, event);
      task.harder = event.harder ?? 0;
      task.stage = { name: 'compacting', askedMs: event.at, deadlineMs: event.deadlineMs };
      return;
    case 'Compacted': {
      spend(session, event);
      const input: NewInput[] = [{ type: 'items', items: event.summary }];
      const { responseId } = event;
      session.contextTokens = 0;
      session.refusals = 0;
      task.contextTokens = 0;
      task.justCompacted = true;
      addNode(session, { parent: null, origin: null, responseId, input, output: null, copied: null, outcome: [] });
      nextTurn(session, task, event);
      return;
    }
    case 'InputLeftOut':
      leaveOut(session, event.why);
      return;
    case 'TaskEnded':
      session.task = null;
      return;
    case 'TaskFailed':
      spend(session, event, isSpent(event) ? 1 : 0);
      if (task.calls.size > 0) keepOutcome(session, task);
      session.task = null;
      return;
    default:
      evolveCall(session, task, event);
  }
}

function received(
  session: LiveSession,
  task: SessionTask,
  event: Extract<SessionEvent, { type: 'ResponseReceived' }>,
): void {
  const { responseId, output, calls, figures, isKept } = event;
  spend(session, event);
  addNode(session, {
    parent: session.head,
    origin: session.origin,
    responseId,
    input: session.pending,
    output,
    copied: null,
    outcome: [],
    ...(isKept && { keptBy: session.order.agent }),
  });
  session.pending = [];
  session.refusals = 0;
  session.contextTokens = figures.input + figures.output;
  task.contextTokens = session.contextTokens;
  task.responseId = responseId;
  task.justCompacted = false;
  task.turns += 1;
  task.tries = 0;
  for (const { id, callId, tool, custom } of calls) {
    task.calls.set(id, { id, callId, tool, custom, stage: { name: 'new' }, deed: null });
    session.calls += 1;
  }
  task.stage = { name: 'judging' };
}

function nextTurn(
  session: LiveSession,
  task: SessionTask,
  { at, deadlineMs }: { at: number; deadlineMs: number },
): void {
  session.turns += 1;
  task.turn = session.turns;
  task.attempt = 1;
  task.tries = 0;
  task.stage = { name: 'asking', askedMs: at, deadlineMs };
}

function evolveCall(session: LiveSession, task: SessionTask, event: SessionEvent): void {
  if (event.type === 'CallsJudged') {
    task.stage = { name: 'working' };
    for (const judgement of event.judgements) judged(task, judgement);
    return;
  }
  if (event.type === 'CallRenamed') {
    renamed(session, task, event);
    return;
  }
  const call = 'call' in event ? task.calls.get(event.call) : undefined;
  if (!call) return;
  switch (event.type) {
    case 'CallAnswered':
      call.stage = { name: 'ended', output: event.output };
      return;
    case 'ApprovalAsked': {
      const fallback = call.stage.name === 'ended' ? call.stage.output : null;
      const keeps = event.again === 'denied' ? fallback : null;
      if (call.deed) call.deed = { ...call.deed, where: event.where, hash: event.hash };
      call.stage = { name: 'waiting', notified: false, fallback: keeps };
      return;
    }
    case 'Noticed':
      if (call.stage.name === 'waiting') call.stage = { ...call.stage, notified: true };
      return;
    case 'ApprovalResolved':
      resolved(session, call, event);
      return;
    case 'CallBegun':
      call.stage = { name: 'running', begunMs: event.at };
      if (call.deed) call.deed = { ...call.deed, auto: event.auto };
      return;
    case 'CallEnded':
      session.spent = addSpent(session.spent, { activeMs: event.end.activeMs });
      call.stage = { name: 'ended', output: event.end.output };
      return;
    case 'CallLost':
      if (event.settles && call.deed) {
        session.unsettled.push(deedFacts(session.order, task, { id: call.id, deed: call.deed }));
      }
      call.stage = { name: 'ended', output: event.printed?.output ?? { words: LOST_WORDS[event.why] } };
  }
}

const LOST_WORDS = {
  unknown: 'The process that ran this died. What came of it is not known: look before you do it again.',
  interrupted: 'The user interrupted this before it had ended.',
} as const;

function judged(task: SessionTask, judgement: JudgedCall): void {
  const call = task.calls.get(judgement.call);
  if (!call || judgement.type !== 'deed') return;
  const { kind, plan, shown, hash, title, where, outside } = judgement;
  call.deed = { kind, plan, shown, hash, title, where, outside, auto: true };
  // Unless it is asked for, refused or begun at once, it waits for its turn.
  call.stage = { name: 'ready' };
}

/** It keeps its place among the others: what the model is told comes in its order. */
function renamed(session: LiveSession, task: SessionTask, { call, to }: { call: string; to: string }): void {
  session.calls = Math.max(session.calls, callNumber(to) ?? 0);
  task.calls = new Map([...task.calls].map(([id, one]) => (id === call ? [to, { ...one, id: to }] : [id, one])));
}

function resolved(
  session: LiveSession,
  call: Call,
  { decision }: Extract<SessionEvent, { type: 'ApprovalResolved' }>,
): void {
  if (decision === 'approved' || decision === 'approved_for_session') {
    if (decision === 'approved_for_session' && call.deed) remember(session.approved, call.deed.hash);
    call.stage = { name: 'ready' };
    if (call.deed) call.deed = { ...call.deed, auto: false };
    return;
  }
  const fallback = call.stage.name === 'waiting' ? call.stage.fallback : null;
  call.stage = { name: 'ended', output: fallback ?? { words: NOT_DONE_WORDS[decision] } };
}

const NOT_DONE_WORDS = {
  denied: 'The user does not want this done.',
  abort: 'The user does not want this done.',
  withdrawn: 'Not done: the user interrupted before anybody had decided about it.',
} as const;

function remember(approved: Set<string>, hash: string): void {
  approved.add(hash);
  const [oldest] = approved;
  if (approved.size > APPROVED_MAX && oldest !== undefined) approved.delete(oldest);
}

/** It is sent with the next request, and kept for whoever goes on from this response later. */
function keepOutcome(session: LiveSession, task: SessionTask): void {
  session.pending = outputsOf(task);
  const node = session.head === null ? undefined : session.nodes[session.head];
  if (node) node.outcome = [...session.pending];
}

/** Also for whoever goes on from this response later. */
function leaveOut(session: LiveSession, why: LeftOut): void {
  session.refusals += 1;
  session.pending = withNotes(session.pending, why);
  const node = session.head === null ? undefined : session.nodes[session.head];
  if (node) node.outcome = withNotes(node.outcome, why);
}

/** However often something is left out, one note stands for all of it. */
function withNotes(inputs: readonly NewInput[], why: LeftOut): NewInput[] {
  let count = 0;
  const outputs = inputs.flatMap((one): NewInput[] => {
    if (one.type !== 'output') {
      count += one.type === 'items' ? 1 : one.inputs;
      return [];
    }
    return ['words' in one.output ? one : { ...one, output: { words: LEFT_OUT_WORDS[why] } }];
  });
  return count === 0 ? outputs : [...outputs, { type: 'left-out', inputs: count, why }];
}

const LEFT_OUT_WORDS = {
  full: 'This output is left out: it did not fit into your window.',
  refused: 'This output is left out: your provider refused the request that it was in.',
} as const;

function outputsOf({ calls }: SessionTask): NewInput[] {
  return [...calls.values()].flatMap(({ callId, custom, stage }): NewInput[] =>
    stage.name === 'ended' ? [{ type: 'output', callId, custom, output: stage.output }] : [],
  );
}

function addNode(session: LiveSession, node: ThreadNode): void {
  session.nodes.push(node);
  session.head = session.nodes.length - 1;
  session.origin = null;
  session.byResponse.set(node.responseId, session.head);
}

function isSpent({ usage, activeMs }: { usage: Usage; activeMs: number }): boolean {
  return activeMs > 0 || usage.inputTokens + usage.outputTokens + usage.costMicroUsd > 0;
}

function spend(session: LiveSession, { usage, activeMs }: { usage: Usage; activeMs: number }, asks = 1): void {
  const tokens = usage.inputTokens + usage.outputTokens;
  session.spent = addSpent(session.spent, { tokens, costMicroUsd: usage.costMicroUsd, activeMs, asks });
}
