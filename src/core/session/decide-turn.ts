import type { Decision } from '../kernel/decider.js';
import { type EffectResult, NO_USAGE, type Usage } from '../kernel/effect.js';
import { PARK_MS_MIN } from '../kernel/provider-wait.js';
import {
  askedSince,
  failed,
  isNearlyFull,
  limitReached,
  spentWith,
  turnDeadline,
  turnOver,
  warnings,
} from './end-task.js';
import type { LeftOut, SessionEvent, TaskFailure, TurnReading } from './session-messages.js';
import { callName, HARDER_MAX, hardnessOf, type LiveSession, type SessionTask } from './session-state.js';

type Result = Decision<SessionEvent>;
type Answered = Extract<EffectResult, { type: 'Answered' }>;
type Failed = Extract<EffectResult, { type: 'Failed' }>;

const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 1_000;

/** The model has answered. */
export function turnAnswered(session: LiveSession, task: SessionTask, answered: Answered): Result {
  const reading = answered.reading as TurnReading;
  const { atMs, usage } = answered;
  const { id, stage } = task;
  const activeMs = askedSince(task, atMs);
  if (reading.type === 'context-full') return tooLong(session, task, answered);
  if (reading.type === 'refused') {
    const refused = failure(task, 'MODEL_FAILED', reading.reason, answered);
    return { events: [leftOut(session, task, 'refused'), ...refused] };
  }
  if (stage.name === 'compacting') return compacted(session, task, answered, reading);
  const { responseId, output, said, callsLeftOut, figures, isKept } = reading;
  const calls = said.flatMap((one) => (one.type === 'call' ? [one] : []));
  const named = calls.map(({ callId, tool, custom }, index) => {
    return { id: callName(session.calls + index + 1), callId, tool, custom };
  });
  const spent = spentWith(session, usage, { activeMs });
  const received: SessionEvent = {
    ...{ id, type: 'ResponseReceived', at: atMs, responseId, output, calls: named, callsLeftOut, figures },
    ...{ window: session.order.contextWindow, usage, activeMs },
    ...(isKept && { isKept }),
  };
  const events: SessionEvent[] = [
    ...words(task, reading),
    received,
    ...bounded(task, reading),
    ...warnings(session, task, spent),
  ];
  if (named.length > 0) {
    const stop = limitReached(session, spent);
    if (stop === undefined) return { events };
    return { events: [...events, failed(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`)] };
  }
  const message = reading.said.findLast((one) => one.type === 'message');
  const over = turnOver(session, { ...task, turns: task.turns + 1 }, { atMs, hasOutput: false, usage, responseId });
  return {
    events: [...events, ...over, { id, type: 'TaskEnded', responseId, message: message?.said ?? task.message }],
  };
}

/** The thread is summarised, or sent shorter to be summarised, as long as there is hope. */
function tooLong(session: LiveSession, task: SessionTask, answered: Answered): Result {
  const { id, stage, harder, justCompacted } = task;
  const { atMs, usage } = answered;
  const isCompacting = stage.name === 'compacting';
  if (isCompacting ? harder >= HARDER_MAX : justCompacted || session.head === null) {
    const full = failure(task, 'CONTEXT_FULL', 'the thread does not fit into the window of the model', answered);
    return { events: [leftOut(session, task, 'full'), ...full] };
  }
  const activeMs = askedSince(task, atMs);
  const spent = spentWith(session, usage, { activeMs });
  const stop = limitReached(session, spent);
  if (stop !== undefined) {
    return { events: failure(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`, answered) };
  }
  const begun = { at: atMs, deadlineMs: turnDeadline({ ...session, spent }, atMs), spent: { usage, activeMs } };
  return { events: [{ id, type: 'CompactionBegun', ...begun, harder: isCompacting ? harder + 1 : 1 }] };
}

/** What of the pending is not sent any more. Any of it may be the reason, also what an earlier task has left. */
function leftOut({ pending }: LiveSession, { id }: SessionTask, why: LeftOut): SessionEvent {
  const inputs = pending.filter(({ type }) => type === 'items').length;
  const outputs = pending.filter((one) => one.type === 'output' && !('words' in one.output)).length;
  const named = [
    ...(inputs > 0 ? [inputs === 1 ? 'an input' : `${inputs} inputs`] : []),
    ...(outputs > 0 ? [outputs === 1 ? 'what came of a call' : `what came of ${outputs} calls`] : []),
  ].join(' and ');
  const reason = why === 'full' ? 'too long for it' : 'its provider does not take it';
  const words = `not sent to the model any more: ${named} (${reason}); the history keeps what was said`;
  return { id, type: 'InputLeftOut', why, words: named === '' ? '' : words };
}

function bounded(
  { id }: SessionTask,
  { isCut, callsLeftOut }: Extract<TurnReading, { type: 'response' }>,
): SessionEvent[] {
  const cut = 'the model ran into its own limit of one answer: what it says may break off';
  const left = `the model asked for too much at once: ${callsLeftOut} of its calls are not done, and it is told so`;
  return [
    ...(isCut ? [{ id, type: 'ResponseBounded', code: 'ANSWER_CUT', words: cut } as const] : []),
    ...(callsLeftOut > 0 ? [{ id, type: 'ResponseBounded', code: 'CALLS_LEFT_OUT', words: left } as const] : []),
  ];
}

function words({ id }: SessionTask, { said }: Extract<TurnReading, { type: 'response' }>): SessionEvent[] {
  return said.flatMap((one): SessionEvent[] => {
    if (one.type === 'call') return [];
    const { itemId, said: shown } = one;
    return [{ id, type: one.type === 'message' ? 'MessageSaid' : 'ReasoningSaid', itemId, said: shown }];
  });
}

function compacted(
  session: LiveSession,
  task: SessionTask,
  answered: Answered,
  { said, responseId, output }: Extract<TurnReading, { type: 'response' }>,
): Result {
  const { atMs, usage } = answered;
  const message = said.findLast((one) => one.type === 'message');
  if (!message)
    return { events: failure(task, 'MODEL_FAILED', 'the model was asked for a summary and gave none', answered) };
  const activeMs = askedSince(task, atMs);
  const { id } = task;
  const spent = spentWith(session, usage, { activeMs });
  const deadlineMs = turnDeadline({ ...session, spent }, atMs);
  const done: SessionEvent = {
    ...{ id, type: 'Compacted', summary: message.said, responseId, output, usage, activeMs, at: atMs, deadlineMs },
  };
  if (task.compacts) return { events: [done, { id, type: 'TaskEnded', responseId, message: null }] };
  const stop = limitReached(session, spent);
  if (stop === undefined) return { events: [done] };
  return { events: [done, failed(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`)] };
}

/** The model has not answered: it is asked again after a while, or the task ends. */
export function turnFailed(session: LiveSession, task: SessionTask, result: Failed): Result {
  const { failure: kind, reason, usage, atMs, retryAfterMs = 0, thread } = result;
  switch (kind) {
    case 'spent':
      return { events: failure(task, 'LIMIT_REACHED', `a limit is reached: ${reason}`, result) };
    case 'auth':
    case 'login':
    case 'not-found':
    case 'refused':
    case 'workspace':
      return { events: failure(task, 'MODEL_FAILED', reason, result) };
    case 'timeout': {
      const stop = limitReached(session, {
        ...session.spent,
        activeMs: session.spent.activeMs + askedSince(task, atMs),
      });
      if (stop !== undefined)
        return { events: failure(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`, result) };
    }
  }
  if (task.tries >= TRIES_MAX) {
    return { events: failure(task, 'MODEL_FAILED', `${reason} (given up after ${task.tries + 1} tries)`, result) };
  }
  if (retryAfterMs > PARK_MS_MIN) {
    return {
      events: failure(
        task,
        'MODEL_FAILED',
        `${reason} (the provider wants ${Math.ceil(retryAfterMs / 1000)} s)`,
        result,
      ),
    };
  }
  const untilMs = atMs + Math.max(retryAfterMs, FIRST_PAUSE_MS * 2 ** task.tries);
  const tries = task.tries + 1;
  const activeMs = askedSince(task, atMs);
  const said = reason.slice(0, REASON_MAX);
  return {
    events: [
      { id: task.id, type: 'RetryPlanned', reason: said, untilMs, tries, itemIds: itemsIn(thread), usage, activeMs },
    ],
  };
}

const REASON_MAX = 500;
const ITEMS_MAX = 100;

/** Of an attempt whose words were shown, the names of what was shown: they are void. */
export function itemsIn(thread: string | undefined): readonly string[] {
  return thread === undefined || thread === '' ? [] : thread.split(',').slice(0, ITEMS_MAX);
}

type FailedAsk = Pick<Failed, 'usage' | 'atMs'> & Partial<Pick<Failed, 'failure' | 'retryAfterMs'>>;

function failure(
  task: SessionTask,
  code: TaskFailure,
  message: string,
  { usage, atMs, failure: kind, retryAfterMs = 0 }: FailedAsk,
): SessionEvent[] {
  const why = { ...(kind && { kind }), ...(retryAfterMs > 0 && { retryAtMs: atMs + retryAfterMs }) };
  const spent = { usage, activeMs: askedSince(task, atMs) };
  return [failed(task, code, message, code === 'MODEL_FAILED' ? { ...spent, ...why } : spent)];
}

/** The same turn is asked for again, unless nothing is left to spend. `lost`: what an ask had cost that nobody answered. */
export function restarted(
  session: LiveSession,
  task: SessionTask,
  atMs: number,
  { itemIds, lost }: { itemIds: readonly string[]; lost?: Usage },
): Result {
  const cost = { usage: lost ?? NO_USAGE, activeMs: askedSince(task, atMs) };
  const spent = lost ? spentWith(session, lost, cost) : session.spent;
  const stop = limitReached(session, spent);
  if (stop !== undefined)
    return { events: [failed(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`, cost)] };
  const deadlineMs = turnDeadline({ ...session, spent }, atMs);
  return { events: [{ id: task.id, type: 'TurnRestarted', itemIds, ...cost, at: atMs, deadlineMs }] };
}

/** A task begins: with a summary first, when there is hardly room for an answer. */
export function taskStarted(
  session: LiveSession,
  atMs: number,
  started: { id: string } & Pick<
    Extract<SessionEvent, { type: 'TaskStarted' }>,
    'title' | 'items' | 'entry' | 'from' | 'compacts'
  >,
): SessionEvent[] {
  const deadlineMs = turnDeadline(session, atMs);
  const { contextWindow: window } = session.order;
  const event: SessionEvent = { type: 'TaskStarted', at: atMs, deadlineMs, window, ...started };
  const stop = limitReached(session, session.spent);
  const { id, from, compacts } = started;
  if (stop !== undefined) {
    return [event, failed({ id }, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`)];
  }
  if (!compacts && from === null && isNearlyFull(session)) {
    const harder = hardnessOf(session);
    return [event, { id, type: 'CompactionBegun', at: atMs, deadlineMs, ...(harder > 0 && { harder }) }];
  }
  return [event];
}
