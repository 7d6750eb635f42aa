import { type EffectResult, NO_USAGE } from '../kernel/effect.js';
import { wantedWords } from '../kernel/wanted-words.js';
import { afterFailure, timeoutSeconds } from './after-failure.js';
import { admitKey, affordKey, pauseKey } from './bridge-effects.js';
import type { AnswerReading, BridgeEvent, BridgeReply } from './bridge-messages.js';
import type { LiveBridge, OpenRequest } from './bridge-state.js';
import { answeredWith, REASON_LENGTH_MAX, replyTo } from './reply.js';

type Result<Type extends EffectResult['type']> = Extract<EffectResult, { type: Type }>;
type Ended = Extract<BridgeEvent, { type: 'HandoffEnded' }>;
type End = Pick<Ended, 'atMs' | 'cause' | 'reason' | 'againMs'> & Partial<Pick<Ended, 'request' | 'answer' | 'usage'>>;

export function endOf({ handoff, attempt }: OpenRequest, { reason: why, ...end }: End): Ended {
  const { cause, againMs, answer = null, request = null, usage = NO_USAGE } = end;
  const reason = why?.slice(0, REASON_LENGTH_MAX) ?? null;
  const response = answer !== null ? 'SUCCESS' : cause === 'timeout' ? 'TIMEOUT' : 'ERROR';
  const action = againMs !== null ? 'RETRY' : cause === null ? 'COMPLETED' : 'STUCK';
  return { ...end, type: 'HandoffEnded', handoff, attempt, response, action, reason, request, answer, usage };
}

/** What became of asking the agent. */
export function decideAskResult(bridge: LiveBridge, request: OpenRequest, result: EffectResult): BridgeEvent[] {
  const { atMs, key } = result;
  const { stage } = bridge;
  const { handoff } = request;
  const isAsking = stage.name === 'asking' && key === handoff;
  switch (result.type) {
    case 'Admitted':
      return stage.name === 'queued' && key === admitKey(request) ? admitted(request, atMs) : [];
    case 'Parked': {
      const { reason, untilMs } = result;
      if (stage.name !== 'queued' || key !== admitKey(request)) return [];
      return [{ type: 'HandoffParked', atMs, handoff, reason, untilMs }];
    }
    case 'Afforded':
      return stage.name === 'parked' && key === affordKey(request) ? [{ type: 'HandoffUnparked', atMs, handoff }] : [];
    case 'Woke': {
      const isDue = stage.name === 'pausing' && key === pauseKey(request) && atMs >= stage.untilMs;
      return isDue ? [{ type: 'PauseEnded', atMs, handoff }] : [];
    }
    case 'Answered':
      return isAsking ? answered(bridge, request, result) : [];
    case 'Failed':
      return isAsking ? failed(bridge, request, result) : [];
    case 'Asks':
      return isAsking ? asks(bridge, request, result) : [];
    case 'Lost': {
      const reason = 'the process that asked was ended before an answer was recorded';
      const { usage } = result;
      return isAsking ? [endOf(request, { atMs, cause: 'lost', reason, usage, againMs: atMs })] : [];
    }
    default:
      return [];
  }
}

const MS = 1_000;

function admitted(request: OpenRequest, atMs: number): BridgeEvent[] {
  const { handoff, attempt, answerer } = request;
  if (!answerer) return [];
  const deadlineMs = atMs + timeoutSeconds(request) * MS;
  return [{ type: 'HandoffAsked', atMs, handoff, attempt: attempt + 1, agent: answerer.agent, deadlineMs }];
}

function answered(bridge: LiveBridge, open: OpenRequest, result: Result<'Answered'>): BridgeEvent[] {
  const { atMs, answer, request = null } = result;
  const { error, confidence, reported } = result.reading as AnswerReading;
  // Its own word counts where nobody else has counted.
  const { inputTokens, outputTokens, costMicroUsd } = result.usage;
  const usage = reported && inputTokens + outputTokens + costMicroUsd === 0 ? reported : result.usage;
  const cause = error ? 'output' : null;
  const reason = error?.message ?? null;
  const reply = replyTo(open, {
    ...{ status: error ? 'error' : 'success', error, answer, atMs, confidence, ...usageOf(bridge, usage, atMs) },
  });
  return [
    endOf(open, { atMs, cause, reason, request, answer, usage, againMs: null }),
    ...answeredWith(bridge, reply, { atMs, by: agentOf(open), question: null }),
  ];
}

/** What a response says of what it took: time and tokens of the try that was answered. */
function usageOf(
  { stage }: LiveBridge,
  { inputTokens, outputTokens, models }: Result<'Answered'>['usage'],
  atMs: number,
): Pick<BridgeReply, 'durationMs' | 'tokens' | 'model'> {
  const tokens = inputTokens + outputTokens;
  return {
    durationMs: stage.name === 'asking' ? Math.max(0, atMs - stage.askedAtMs) : null,
    tokens: tokens > 0 ? tokens : null,
    model: models?.[0]?.model ?? null,
  };
}

function agentOf({ answerer, agent_name }: OpenRequest): string {
  return answerer?.agent ?? agent_name;
}

function failed(bridge: LiveBridge, open: OpenRequest, result: Result<'Failed'>): BridgeEvent[] {
  const { atMs, failure: cause, reason, usage, request = null } = result;
  const next = afterFailure(open, result);
  const againMs = 'againMs' in next ? next.againMs : null;
  const ended = endOf(open, { atMs, cause, reason, usage, request, againMs });
  if ('againMs' in next) return [ended];
  const reply = replyTo(open, { ...next, atMs, ...usageOf(bridge, usage, atMs) });
  return [ended, ...answeredWith(bridge, reply, { atMs, by: agentOf(open), question: null })];
}

/** Whoever answers a bridge answers with text: there is nobody here who could allow it to do something. */
function asks(bridge: LiveBridge, open: OpenRequest, result: Result<'Asks'>): BridgeEvent[] {
  const { atMs, wanted, usage, request = null } = result;
  const reason = `it asks whether it may ${wantedWords(wanted)}, and an answer is all that a bridge takes`;
  const error = { type: 'INVOCATION_FAILED', message: reason } as const;
  return [
    endOf(open, { atMs, cause: 'asked', reason, usage, request, againMs: null }),
    ...answeredWith(bridge, replyTo(open, { status: 'error', error, atMs }), {
      atMs,
      by: agentOf(open),
      question: null,
    }),
  ];
}
