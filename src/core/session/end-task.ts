import { addSpent, exhausted, nearlyExhausted, remaining, type Spent, usedWords } from '../kernel/budget.js';
import { type FailureKind, NO_USAGE, type Usage } from '../kernel/effect.js';
import type { SessionCommand, SessionEvent, TaskFailure } from './session-messages.js';
import type { LiveSession, SessionTask } from './session-state.js';

const TURNS_MAX = 1_000;
const TURN_MS_MAX = 30 * 60_000;
/** The thread is summarised when so much of the model's window is full. */
const COMPACT_AT = 0.8;
const WORDS_MAX = 2_000;

/** Everything under way is called off, and the task ends. `answered` is a call that has just got its answer. */
export function interrupted(session: LiveSession, by: CalledOff, answered?: string): SessionEvent[] {
  const { task } = session;
  if (!task) return [];
  const { id } = task;
  const { atMs } = by;
  const calls = [...task.calls.values()].filter((call) => call.id !== answered);
  const left = calls.flatMap(({ id: call, stage, deed }): SessionEvent[] => {
    if (stage.name === 'running' && deed) {
      const { kind } = deed;
      const printed = by.printed?.[call];
      const more = { ...(kind === 'patch' && { settles: true as const }), ...(printed && { printed }) };
      return [{ id, type: 'CallLost', call, kind, why: 'interrupted', ...more }];
    }
    if (stage.name === 'waiting') {
      return [{ id, type: 'ApprovalResolved', call, decision: 'withdrawn', by: 'session' }];
    }
    return [];
  });
  const activeMs = askedSince(task, atMs);
  const usage = usedBy(task, by);
  return [...left, { id, type: 'TaskFailed', code: 'INTERRUPTED', message: 'interrupted', usage, activeMs }];
}

type CalledOff = Pick<Extract<SessionCommand, { type: 'Interrupt' }>, 'used' | 'ask' | 'printed' | 'atMs'>;

/** What was read before the command came here may be of an ask that has been paid for meanwhile. */
export function usedBy({ stage, turn, attempt }: SessionTask, { used, ask }: CalledOff): Usage {
  const isAsking = stage.name === 'asking' || stage.name === 'compacting';
  return isAsking && ask?.turn === turn && ask.attempt === attempt ? used : NO_USAGE;
}

export function failed(
  { id }: Pick<SessionTask, 'id'>,
  code: TaskFailure,
  message: string,
  spent: { usage: Usage; activeMs: number; kind?: FailureKind; retryAtMs?: number } = { usage: NO_USAGE, activeMs: 0 },
): SessionEvent {
  return { id, type: 'TaskFailed', code, message: message.slice(0, WORDS_MAX), ...spent };
}

export function askedSince({ stage }: SessionTask, atMs: number): number {
  return stage.name === 'asking' || stage.name === 'compacting' ? Math.max(0, atMs - stage.askedMs) : 0;
}

/** For how long the model was asked, when it was. */
export function whileAsked(task: SessionTask, atMs: number): { activeMs: number } | undefined {
  const { name } = task.stage;
  return name === 'asking' || name === 'compacting' ? { activeMs: askedSince(task, atMs) } : undefined;
}

/** Until when the model may work on one turn. */
export function turnDeadline({ order, spent }: Pick<LiveSession, 'order' | 'spent'>, atMs: number): number {
  return atMs + Math.min(TURN_MS_MAX, remaining(order.limits, spent, 'activeMs'));
}

/** `activeMs`: of the call that has just ended. */
type Over = { atMs: number; hasOutput: boolean; usage: Usage; responseId?: string; activeMs?: number };

/** All calls of a turn have ended: the next turn begins, or the task is complete, or nothing is left to spend. */
export function turnOver(session: LiveSession, task: SessionTask, over: Over): SessionEvent[] {
  const { id, turns } = task;
  const { atMs, hasOutput, usage, activeMs = 0 } = over;
  const responseId = over.responseId ?? task.responseId ?? '';
  const spent = addSpent(spentWith(session, usage), { activeMs });
  const deadlineMs = turnDeadline({ ...session, spent }, atMs);
  const ended: SessionEvent = { id, type: 'TurnEnded', at: atMs, responseId, turn: turns, deadlineMs };
  if (!hasOutput) return [ended];
  const stop = limitReached(session, spent) ?? (turns >= TURNS_MAX ? `${turns} turns` : undefined);
  if (stop !== undefined)
    return [ended, failed(task, 'LIMIT_REACHED', `the limit of this session is reached: ${stop}`)];
  const isFull = task.contextTokens >= session.order.contextWindow * COMPACT_AT;
  return isFull ? [ended, { id, type: 'CompactionBegun', at: atMs, deadlineMs }] : [ended];
}

export function isNearlyFull({ order, contextTokens }: LiveSession): boolean {
  return contextTokens >= order.contextWindow * COMPACT_AT;
}

/** `asked`: for how long the model was, when this is of an ask. */
export function spentWith({ spent }: LiveSession, usage: Usage, asked?: { activeMs: number }): Spent {
  const { inputTokens, outputTokens, costMicroUsd } = usage;
  const { activeMs } = asked ?? { activeMs: 0 };
  return addSpent(spent, { tokens: inputTokens + outputTokens, costMicroUsd, activeMs, asks: asked ? 1 : 0 });
}

/** In words, when nothing is left to spend. */
export function limitReached({ order: { limits } }: LiveSession, spent: Spent): string | undefined {
  const dimension = exhausted(limits, spent);
  return dimension && usedWords(dimension, spent, limits);
}

/** Once for each limit that is nearly used up. */
export function warnings(
  { order: { limits }, warned }: LiveSession,
  { id }: SessionTask,
  spent: Spent,
): SessionEvent[] {
  return nearlyExhausted(limits, spent)
    .filter((dimension) => !warned.includes(dimension))
    .map((dimension) => ({ id, type: 'LimitNeared', what: dimension, words: usedWords(dimension, spent, limits) }));
}
