import { type Decision, refuse } from '../kernel/decider.js';
import type { EffectResult } from '../kernel/effect.js';
import { approve, callEnded, callLost, callsJudged, callsReady, callUnkept } from './decide-calls.js';
import { itemsIn, restarted, taskStarted, turnAnswered, turnFailed } from './decide-turn.js';
import { interrupted, spentWith, usedBy, whileAsked } from './end-task.js';
import { deedKey, judgeKey, noticeKey, pauseKey, settleKey, turnKey } from './session-effects.js';
import type { CallEnd, CallJudgement, SessionCommand, SessionEvent } from './session-messages.js';
import type { LiveSession, SessionRun, SessionTask } from './session-state.js';

type Result = Decision<SessionEvent>;

export function decideSession(session: Readonly<SessionRun>, command: SessionCommand): Result {
  if (session.status === 'new') {
    if (command.type === 'Configure') return configure(null, command);
    return refuse('SESSION_NOT_CONFIGURED', 'the session is not set up yet');
  }
  switch (command.type) {
    case 'Configure':
      return configure(session, command);
    case 'Input': {
      const { sub: id, atMs, title, items, entry, from } = command;
      const ended = interrupted(session, command);
      const { task } = session;
      const left = task
        ? { ...session, spent: spentWith(session, usedBy(task, command), whileAsked(task, atMs)) }
        : session;
      return { events: [...ended, ...taskStarted(left, atMs, { id, title, items, entry, from, compacts: false })] };
    }
    case 'Interrupt':
      if (!session.task) return refuse('NO_TASK', 'no task is running');
      return { events: interrupted(session, command) };
    case 'Approve':
      return approve(session, command);
    case 'AddHistory':
      return { events: [{ id: command.sub, type: 'HistoryAdded', entry: command.entry }] };
    case 'Compact':
      return compact(session, command);
    case 'Shutdown': {
      if (session.status === 'closed') return { events: [] };
      const ended = interrupted(session, command);
      return { events: [...ended, { id: command.sub, type: 'SessionClosed' }] };
    }
    default: {
      const settled = session.unsettled.find(
        (facts) => (command.type === 'Performed' || command.type === 'Failed') && command.key === settleKey(facts),
      );
      if (settled) return { events: [{ id: settled.task, type: 'PatchSettled', call: settled.call }] };
      return session.task ? effectResult(session, session.task, command) : { events: [] };
    }
  }
}

function configure(session: LiveSession | null, command: Extract<SessionCommand, { type: 'Configure' }>): Result {
  const { sub: id, order, thread, atMs } = command;
  const ended = session ? interrupted(session, command) : [];
  const resumed = session !== null;
  const entries = session?.entries.length ?? 0;
  return { events: [...ended, { id, type: 'SessionConfigured', order, thread, at: atMs, resumed, entries }] };
}

function compact(session: LiveSession, { sub: id, atMs }: Extract<SessionCommand, { type: 'Compact' }>): Result {
  if (session.task) return refuse('INVALID_TRANSITION', `the task ${session.task.id} is running; interrupt it first`);
  if (session.head === null) return refuse('INVALID_TRANSITION', 'there is nothing to summarise yet');
  const order = { title: session.title, items: null, entry: null, from: null };
  return { events: taskStarted(session, atMs, { id, ...order, compacts: true }) };
}

/** Results of what is no longer owed change nothing. */
function effectResult(session: LiveSession, task: SessionTask, result: EffectResult): Result {
  const { stage } = task;
  const isAsking = stage.name === 'asking' || stage.name === 'compacting';
  switch (result.type) {
    case 'Answered':
      return isAsking && result.key === turnKey(task) ? turnAnswered(session, task, result) : NOTHING;
    case 'Failed':
      if (isAsking && result.key === turnKey(task)) return turnFailed(session, task, result);
      return undone(session, task, result);
    case 'Lost':
      return lost(session, task, result);
    case 'Woke':
      if (stage.name === 'working') return callsReady(session, task, result.atMs);
      if (stage.name !== 'pausing' || result.key !== pauseKey(task)) return NOTHING;
      return restarted(session, task, result.atMs, { itemIds: stage.itemIds });
    case 'Performed':
      return performed(session, task, result);
    case 'Notified': {
      const call = [...task.calls.values()].find((one) => noticeKey(one) === result.key);
      return call?.stage.name === 'waiting' && !call.stage.notified
        ? { events: [{ id: task.id, type: 'Noticed', call: call.id }] }
        : NOTHING;
    }
    default:
      return NOTHING;
  }
}

const NOTHING: Result = { events: [] };

function performed(
  session: LiveSession,
  task: SessionTask,
  performed: Extract<EffectResult, { type: 'Performed' }>,
): Result {
  const { key, result, atMs } = performed;
  if (task.stage.name === 'judging' && key === judgeKey(task)) {
    return callsJudged(session, task, atMs, (result as { judgements: CallJudgement[] }).judgements);
  }
  const call = callOf(task, key);
  return call ? callEnded(session, task, call, (result as { end: CallEnd }).end, atMs) : NOTHING;
}

/** What came of judging, or of a call, cannot be written. */
function undone(session: LiveSession, task: SessionTask, { key, atMs }: Extract<EffectResult, { type: 'Failed' }>) {
  if (task.stage.name === 'judging' && key === judgeKey(task)) return callsJudged(session, task, atMs, []);
  const call = callOf(task, key);
  return call ? callUnkept(session, task, call, atMs) : NOTHING;
}

function lost(session: LiveSession, task: SessionTask, result: Extract<EffectResult, { type: 'Lost' }>): Result {
  const { key, atMs, usage, thread } = result;
  const isAsking = task.stage.name === 'asking' || task.stage.name === 'compacting';
  if (isAsking && key === turnKey(task)) {
    return restarted(session, task, atMs, { itemIds: itemsIn(thread), lost: usage });
  }
  const call = callOf(task, key);
  return call ? callLost(session, task, call, atMs) : NOTHING;
}

function callOf(task: SessionTask, key: string) {
  if (task.stage.name !== 'working') return undefined;
  const call = task.calls.get(key);
  return call?.stage.name === 'running' && deedKey(call) === key ? call : undefined;
}
