import type OpenAI from 'openai';
import type { TurnReadingFacts } from '../../core/session/session-effects.js';
import type { AskOutcome, Clock, RunId } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { LiveText } from '../../engine/session/live-text.js';
import { type Fields, recordOf } from '../../engine/session/model-items.js';
import type { TurnRequest } from '../../engine/session/read-thread.js';
import { answered, failed } from '../adapter.js';
import type { Access } from '../metering/metering.js';
import { withoutRedirects } from '../model/wires/wire.js';
import { serviceFailed } from '../service-failure.js';
import { forgets, providerFailed, refusesSealedReasoning } from './turn-failure.js';
import { TurnStream } from './turn-stream.js';
import { type WatchedFetch, watchedFetch } from './watched-fetch.js';

/** The deadline of the ask ends it, and silence; the package has nothing to say about it. */
const TIMEOUT_MS = 24 * 3_600_000;
const TOKEN_CHARS = 4;

type TurnAsk = {
  run: RunId;
  turn: TurnRequest;
  /** The same with all of the thread, as far as it is known here. */
  whole?(): Promise<TurnRequest>;
  facts: TurnReadingFacts;
  /** Null: nothing of it is for anybody to see. */
  live: LiveText | null;
  scrub: Scrub;
  clock: Clock;
  /** The way to the provider, and what ends the turn. */
  access: Pick<Access, 'ways' | 'signal' | 'noteThread'>;
  module: typeof import('openai');
};

/** Asks a model for one turn: one request, streamed; a second one where the provider has forgotten the thread. */
export async function askTurn(asked: TurnAsk): Promise<AskOutcome> {
  const refusal: Refusal = { forgets: false };
  const outcome = await askOnce(asked, refusal);
  // Where it cannot be read, the refusal stands.
  const whole = refusal.forgets ? await asked.whole?.().catch(() => undefined) : undefined;
  // What begins with a response that only the provider has cannot be sent.
  return whole?.previousResponseId === null ? askOnce({ ...asked, turn: whole }, refusal) : outcome;
}

type Refusal = { forgets: boolean };

async function askOnce(asked: TurnAsk, refusal: Refusal): Promise<AskOutcome> {
  const { run, turn, facts, live, scrub, clock, access } = asked;
  const stream = new TurnStream({ run, task: turn.task, facts, live, scrub, noteThread: access.noteThread });
  const watched = watchedFetch(withoutRedirects(), clock, access.signal);
  try {
    const outcome = await streamed(asked, stream, watched, refusal);
    const { thread } = stream;
    return { ...(watched.ended() ?? outcome), ...(thread !== '' && { thread }) };
  } finally {
    watched.stop();
    stream.close();
  }
}

async function streamed(
  { turn, access, module }: TurnAsk,
  stream: TurnStream,
  watched: WatchedFetch,
  refusal: Refusal,
): Promise<AskOutcome> {
  const { default: Client, APIError } = module;
  const { previousResponseId } = turn;
  const [way] = access.ways;
  if (!way) return failed('auth', 'there is no way to its provider');
  const client = new Client({
    ...{ apiKey: way.token, baseURL: way.baseUrl, maxRetries: 0, timeout: TIMEOUT_MS, logLevel: 'off' },
    fetch: watched.fetch,
  });
  const refused = (error: Fields, told: { status: number | undefined; headers: Headers | undefined }): AskOutcome => {
    const where = { ...told, previousResponseId };
    refusal.forgets = forgets(error, where);
    return providerFailed(error, where, access.signal);
  };
  const send = async (isSealed: boolean): Promise<void> => {
    const events = await client.responses.create(bodyOf(turn, isSealed), { signal: watched.signal });
    for await (const event of events) {
      stream.take(event);
      if (stream.error) return;
      // What is read to its end leaves a connection that the next turn can use.
      if (stream.response) watched.endSoon();
    }
  };
  try {
    await send(!turn.store).catch((failure) => {
      if (turn.store || !(failure instanceof APIError) || !refusesSealedReasoning(failure)) throw failure;
      return send(false);
    });
  } catch (failure) {
    if (stream.response) return answered(answerOf(stream.response, stream.output, turn));
    if (!(failure instanceof APIError) || isBroken(failure)) return serviceFailed(wordsFor(failure), access.signal);
    const { status, headers, error } = failure;
    return refused(recordOf(error), { status, headers });
  }
  if (stream.error) return refused(stream.error, { status: undefined, headers: undefined });
  if (!stream.response)
    return serviceFailed(new Error('the model broke off before its answer was complete'), access.signal);
  return answered(answerOf(stream.response, stream.output, turn));
}

/** Without a status there was no answer at all, unless it is an error that stands in a stream. */
function isBroken({ status, error }: { status: number | undefined; error: unknown }): boolean {
  return status === undefined && error === undefined;
}

function wordsFor(failure: unknown): unknown {
  if (!(failure instanceof SyntaxError)) return failure;
  return new Error('the model sent something that is no JSON');
}

function bodyOf(turn: TurnRequest, isSealed: boolean): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { model, instructions, input, tools, previousResponseId, store } = turn;
  const body = {
    ...{ model, instructions, input, store, stream: true },
    ...(tools.length > 0 && { tools, parallel_tool_calls: true }),
    ...(previousResponseId !== null && { previous_response_id: previousResponseId }),
    // Reasoning can be sent back to who keeps nothing only when it is sealed.
    ...(isSealed && { include: ['reasoning.encrypted_content'] }),
  };
  return body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming;
}

/** Who tells no figures is measured by length, so that a thread is still summarised in time. */
function answerOf(response: Fields, output: readonly unknown[], turn: TurnRequest): string {
  const { input, instructions, store: is_kept } = turn;
  const { id: response_id, model, status, usage } = response;
  const tokensOf = (chars: number) => Math.ceil(chars / TOKEN_CHARS);
  const measured = () => ({
    input_tokens: tokensOf(JSON.stringify(input).length + instructions.length),
    output_tokens: tokensOf(JSON.stringify(output).length),
  });
  const isTold = typeof recordOf(usage).input_tokens === 'number';
  return JSON.stringify({ response_id, model, status, output, usage: isTold ? usage : measured(), is_kept });
}
