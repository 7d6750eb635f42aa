import type { AskOutcome } from '../../engine/ports.js';
import { type Fields, recordOf, textOf } from '../../engine/session/model-items.js';
import { answered, failed } from '../adapter.js';
import { ServiceError, waitAsked } from '../model/wires/wire.js';
import { serviceFailed } from '../service-failure.js';

const TOO_LONG =
  /context[ _](?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens/i;
const NO_SUCH_RESPONSE = /previous[ _]response.{0,200}not[ _]found|response.{0,200}not[ _]found.{0,200}previous/i;
/** What words of an error inside a stream stand for. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/^(insufficient_quota|billing|usage_not_included)/, 402],
  [/^(authentication|invalid_api_key|invalid_authentication|token_expired|permission)/, 401],
  [/^(rate_limit|usage_limit|too_many_requests)/, 429],
  [/^(invalid|unsupported|model_not_found|image|content|cyber|safety)/, 400],
];

/** An error that the provider tells: as the status of its answer, or inside of a stream that began well. */
export function providerFailed(
  error: Fields,
  { status, headers, previousResponseId }: Where,
  signal: AbortSignal,
): AskOutcome {
  const word = textOf(error.code) || textOf(error.type);
  const words = textOf(error.message);
  if (TOO_LONG.test(word) || (isRequestFault(status) && TOO_LONG.test(words))) {
    return answered(JSON.stringify({ context_full: true }));
  }
  if (forgets(error, { status, headers, previousResponseId })) {
    return failed('refused', `the provider does not know the response ${previousResponseId}`);
  }
  const reason = [status, word, words].filter(Boolean).join(' ') || 'the provider broke off and did not say why';
  if (isOfInput(error, status ?? statusOf(word))) return answered(JSON.stringify({ refused: reason }));
  return serviceFailed(new ServiceError(status ?? statusOf(word), reason, waitAsked(headers)), signal);
}

/** The provider does not know the response that it was to go on from. */
export function forgets({ code, type, message }: Fields, { status, previousResponseId }: Where): boolean {
  const words = `${textOf(code) || textOf(type)} ${textOf(message)}`;
  return previousResponseId !== null && isRequestFault(status) && NO_SUCH_RESPONSE.test(words);
}

type Where = { status: number | undefined; headers: Headers | undefined; previousResponseId: string | null };

function isRequestFault(status: number | undefined): boolean {
  return status === undefined || (status >= 400 && status < 500 && status !== 429);
}

const INPUT_STATUSES: readonly number[] = [400, 413, 422];
const OF_SETUP = /model_not_found|parameter/i;

/** What was said is refused, and would be however often it is sent; what is wrong with the set-up can be set right. */
function isOfInput({ code, param }: Fields, status: number): boolean {
  const isNamed = textOf(param) !== '' && !/^(?:input|messages)/.test(textOf(param));
  return INPUT_STATUSES.includes(status) && !OF_SETUP.test(textOf(code)) && !isNamed;
}

function statusOf(word: string): number {
  return STATUSES.find(([pattern]) => pattern.test(word))?.[1] ?? 503;
}

/** A model that does not reason has nothing to seal, and some providers refuse the whole request for it. */
export function refusesSealedReasoning({ status, error }: { status?: number | undefined; error?: unknown }): boolean {
  const { message, param } = recordOf(error);
  return status === 400 && /encrypted[ _]content|\binclude\b/i.test(`${textOf(param)} ${textOf(message)}`);
}
