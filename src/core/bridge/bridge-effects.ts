import type { BodyRef, Effect } from '../kernel/effect.js';
import { timeoutSeconds } from './after-failure.js';
import type { BridgeReply, KeptFile, KeptFiles } from './bridge-messages.js';
import type { LiveBridge, OpenRequest } from './bridge-state.js';

export const REQUEST_COMPOSER = 'bridge-request';
export const ANSWER_READER = 'bridge-answer';
export const ROUND_DEED = 'bridge.round';
export const DELIVER_DEED = 'bridge.deliver';
export const CLEAN_DEED = 'bridge.clean';

/** All that one start of the orchestrator needs. */
export type RoundFacts = {
  handler: string;
  round: number;
  dir: string;
  resume: boolean;
  /** The state as it lay there last, for when it is gone. */
  state: KeptFile | null;
  reply: BridgeReply | null;
  /** Requests that were answered: one of these that lies there is old. */
  answered: readonly string[];
  agents: Readonly<Record<string, string>>;
  profile: string | null;
};
export type DeliverFacts = { dir: string; reply: BridgeReply };
/** After a failure, what the journal has not the whole of stays. */
export type CleanFacts = { dir: string; files: KeptFiles; failed: boolean };
/** The request as it was read, but for what a further try changes. */
export type RequestFacts = { document: BodyRef; retry_count: number; timeout_seconds: number };
export type AnswerFacts = { required: readonly string[] | null };

export const roundKey = ({ handler, rounds }: LiveBridge): string => `round-${rounds}-${handler}`;
export const deliverKey = ({ handoffs }: LiveBridge): string => `deliver-${handoffs}`;
export const cleanKey = ({ rounds }: LiveBridge): string => `clean-${rounds}`;
export const admitKey = ({ handoff, attempt }: OpenRequest): string => `admit-${handoff}-${attempt + 1}`;
export const affordKey = ({ handoff, attempt }: OpenRequest): string => `afford-${handoff}-${attempt}`;
export const pauseKey = ({ handoff, attempt }: OpenRequest): string => `pause-${handoff}-${attempt}`;
export const notifyKey = (question: number): string => `notify-${question}`;

export function* bridgeEffects(bridge: LiveBridge): Iterable<Effect> {
  const { stage, order, request } = bridge;
  switch (stage.name) {
    case 'orchestrating':
      yield { type: 'Perform', key: roundKey(bridge), deed: ROUND_DEED, input: roundFacts(bridge, stage.resume) };
      return;
    case 'delivering': {
      const { reply } = bridge;
      if (!reply) return;
      const input: DeliverFacts = { dir: order.dir, reply };
      yield { type: 'Perform', key: deliverKey(bridge), deed: DELIVER_DEED, input };
      return;
    }
    case 'cleaning': {
      const input: CleanFacts = { dir: order.dir, files: bridge.files, failed: bridge.end?.exitCode !== 0 };
      yield { type: 'Perform', key: cleanKey(bridge), deed: CLEAN_DEED, input };
      return;
    }
    case 'waiting':
      if (!stage.notified) yield { type: 'Notify', key: notifyKey(stage.question), title: personTitle(bridge) };
      return;
    default:
      if (request) yield* askEffects(bridge, request);
  }
}

export function personTitle({ request }: LiveBridge): string {
  return request ? `${request.agent_name} is asked for ${request.phase_name}` : 'an orchestrator asks';
}

function roundFacts(bridge: LiveBridge, resume: boolean): RoundFacts {
  const { order, handler, rounds: round, reply, replies, files } = bridge;
  const { dir, agents, profile } = order;
  return {
    ...{ handler: handler ?? '', round, dir, resume, reply, agents, profile },
    state: files.state,
    answered: Object.keys(replies),
  };
}

function* askEffects({ stage, order }: LiveBridge, request: OpenRequest): Iterable<Effect> {
  const { answerer, handoff, attempt, document, required } = request;
  if (!answerer) return;
  const { agent } = answerer;
  if (stage.name === 'queued') {
    yield { type: 'Admit', key: admitKey(request), lane: agent, rank: 0, pays: order.project };
  }
  if (stage.name === 'parked') yield { type: 'Afford', key: affordKey(request), project: order.project };
  if (stage.name === 'pausing') yield { type: 'Wake', key: pauseKey(request), atMs: stage.untilMs };
  if (stage.name !== 'asking') return;
  const facts: RequestFacts = {
    document,
    retry_count: request.retry_count + request.tries.failed + request.tries.timeout,
    timeout_seconds: timeoutSeconds(request),
  };
  const reading: AnswerFacts = { required };
  yield {
    ...{ type: 'Ask', key: handoff, agent, lane: agent, attempt, deadlineMs: stage.deadlineMs },
    request: { composer: REQUEST_COMPOSER, from: facts },
    reading: { reader: ANSWER_READER, from: reading },
  };
}
