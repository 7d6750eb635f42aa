import { bridgeResponse } from '../../contracts/bridge/bridge-response.js';
import type { BridgeResponse } from '../../contracts/generated/types/bridge-response.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { BridgeReply, TakenRequest } from '../../core/bridge/bridge-messages.js';
import { replyTo } from '../../core/bridge/reply.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';
import { readAnswer } from './read-answer.js';

type Sealed = { reply: BridgeReply; bodies: SealedBody[] };
const MS = 1_000;

/** An object with request_id and status is a whole response; everything else is the text of one. */
export function replyByHand(
  ports: Pick<Ports, 'clock' | 'scrub' | 'hasher'>,
  { request_id, required }: Pick<TakenRequest, 'request_id' | 'required'>,
  text: string,
): Sealed {
  const atMs = ports.clock.nowMs();
  const said = wholeResponse(text);
  if (!said) {
    const { ref: answer, body } = sealBody(ports, text);
    const confidence = confidenceIn(text, required);
    return { reply: replyTo({ request_id }, { status: 'success', atMs, answer, confidence }), bodies: [body] };
  }
  const { status, response, duration_seconds: seconds } = said;
  const sealed = response === undefined ? null : sealBody(ports, response);
  const own = status === 'success' ? confidenceIn(response ?? '', required) : null;
  const { model = null, tokens_used: tokens = null, confidence = own } = said.metadata ?? {};
  const error = { type: said.error_type ?? 'UNKNOWN', message: said.error_message ?? status } as const;
  const reply = replyTo(said, {
    ...{ status, atMs, answer: sealed?.ref ?? null, model, tokens, confidence },
    error: status === 'success' ? null : error,
    durationMs: seconds === undefined ? null : seconds * MS,
  });
  return { reply, bodies: sealed ? [sealed.body] : [] };
}

function wholeResponse(text: string): BridgeResponse | null {
  const read = readJson(text);
  const isWhole = 'value' in read && isObject(read.value) && 'request_id' in read.value && 'status' in read.value;
  return isWhole ? parseContract(bridgeResponse, read.value) : null;
}

/** Whoever answers by hand is held to the same as an agent, and told at once. */
function confidenceIn(text: string, required: TakenRequest['required']): number | null {
  const { error, confidence } = readAnswer({ required }, text);
  if (error) throw new BatonError(error.type, error.message);
  return confidence;
}
