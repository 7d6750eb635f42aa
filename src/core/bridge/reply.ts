import type { BridgeEvent, BridgeReply, TakenRequest } from './bridge-messages.js';
import type { LiveBridge } from './bridge-state.js';

type Said = Pick<BridgeReply, 'status' | 'atMs'> & Partial<BridgeReply>;

export function replyTo({ request_id }: Pick<TakenRequest, 'request_id'>, said: Said): BridgeReply {
  return {
    ...{ request_id, answer: null, error: null, durationMs: null, model: null, tokens: null, confidence: null },
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

/** Only a handler starts the orchestrator; without one the answer is written for whoever does. */
export function nextRound({ order, handler, rounds, stage }: LiveBridge, atMs: number): BridgeEvent[] {
  if (order.argv === null || handler === null || stage.name === 'interrupted') return [];
  return [{ type: 'RoundStarted', atMs, round: rounds + 1, resume: true }];
}
