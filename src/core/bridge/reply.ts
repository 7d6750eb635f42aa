import type { BridgeEvent, BridgeReply, TakenRequest } from './bridge-messages.js';
import type { LiveBridge } from './bridge-state.js';

type Said = Pick<BridgeReply, 'status' | 'atMs'> & Partial<BridgeReply>;

/** What programs and providers say of their failures may be of any length, and an event may not. */
export const REASON_LENGTH_MAX = 2_000;

export function replyTo({ request_id }: Pick<TakenRequest, 'request_id'>, { error, ...said }: Said): BridgeReply {
  return {
    ...{ request_id, answer: null, durationMs: null, model: null, tokens: null, confidence: null },
    error: error ? { ...error, message: error.message.slice(0, REASON_LENGTH_MAX) } : null,
    ...said,
  };
}

export function answeredWith(
  bridge: LiveBridge,
  reply: BridgeReply,
  { atMs, by, question }: { atMs: number; by: string; question: number | null },
): BridgeEvent[] {
  return [{ type: 'RequestAnswered', atMs, reply, by, question }, ...nextRound(bridge, atMs)];
}

/**
 * Only a handler starts the orchestrator; without one the answer is written for whoever does. While a person was waited
 * for nobody owned the run: its handler must take it again before a round begins, or whoever is quicker would lose it.
 */
export function nextRound({ order, handler, rounds, stage }: LiveBridge, atMs: number): BridgeEvent[] {
  const isOwned = stage.name !== 'interrupted' && stage.name !== 'waiting';
  if (order.argv === null || handler === null || !isOwned) return [];
  return [{ type: 'RoundStarted', atMs, round: rounds + 1, resume: true }];
}
