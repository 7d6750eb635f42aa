import type OpenAI from 'openai';
import type { TurnFacts } from '../../core/session/session-effects.js';
import type { AskOutcome, Clock, RunId } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { LiveText } from '../../engine/session/live-text.js';
import { type Fields, recordOf } from '../../engine/session/model-items.js';
import type { TurnRequest } from '../../engine/session/read-thread.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { AgentSpec } from '../agent-spec.js';
import type { Access } from '../metering/metering.js';
import { providerOfWire } from '../metering/providers.js';
import type { ModelOptions } from '../model/model-adapter.js';
import { withoutRedirects } from '../model/wires/wire.js';
import { serviceFailed } from '../service-failure.js';
import { providerFailed, refusesSealedReasoning } from './turn-failure.js';
import { TurnStream } from './turn-stream.js';
import { type WatchedFetch, watchedFetch } from './watched-fetch.js';

export type TurnSessions = {
  /** What the model is asked at this place of the thread. */
  request(run: RunId, facts: TurnFacts): Promise<TurnRequest>;
  live: LiveText;
  scrub: Scrub;
};
export type SessionTurnOptions = ModelOptions & { clock: Clock; sessions?: TurnSessions };

/** The deadline of the ask ends it, and silence; the package has nothing to say about it. */
const TIMEOUT_MS = 24 * 3_600_000;
const TOKEN_CHARS = 4;

/** One turn of a session: one request, streamed, its answer collected until it is complete. */
export function sessionTurnAdapter(spec: AgentSpec, { metering, clock, sessions }: SessionTurnOptions): Adapter {
  return async ({ run }, { agent, key, attempt }, request, signal) => {
    if (!sessions) return failed('refused', 'no sessions are driven here');
    if (spec.adapter !== 'model' || spec.wire !== 'responses') {
      const is = spec.adapter === 'model' ? `speaks ${spec.wire}` : `is of the kind ${spec.adapter}`;
      return failed('refused', `a session needs a model that speaks responses, and ${agent} ${is}`);
    }
    const facts = JSON.parse(new TextDecoder().decode(request)) as TurnFacts;
    // While the way to the provider is made.
    const loaded = import('openai');
    const composed = sessions.request(run, facts).then(
      (turn) => ({ turn }),
      (problem: unknown) => ({ problem }),
    );
    const needs = [{ provider: providerOfWire(spec.wire), baseUrl: spec.baseUrl }];
    return metering.during({ run, handoff: key, attempt }, needs, signal, async (access) => {
      const made = await composed;
      if (!('turn' in made)) return failed('refused', `the thread cannot be read: ${made.problem}`);
      const turn = { ...made.turn, model: made.turn.model || spec.model };
      return askTurn({ run, turn, facts, sessions, clock, access, module: await loaded });
    });
  };
}

type TurnAsk = {
  run: RunId;
  turn: TurnRequest;
  facts: TurnFacts;
  sessions: TurnSessions;
  clock: Clock;
  access: Access;
  module: typeof import('openai');
};

async function askTurn(asked: TurnAsk): Promise<AskOutcome> {
  const { run, turn, facts, sessions, clock, access } = asked;
  const { live, scrub } = sessions;
  const stream = new TurnStream({ run, task: turn.task, facts, live, scrub, noteThread: access.noteThread });
  const watched = watchedFetch(withoutRedirects(), clock, access.signal);
  try {
    const outcome = await streamed(asked, stream, watched);
    const { thread } = stream;
    return { ...(watched.ended() ?? outcome), ...(thread !== '' && { thread }) };
  } finally {
    watched.stop();
    stream.close();
  }
}

async function streamed({ turn, access, module }: TurnAsk, stream: TurnStream, watched: WatchedFetch) {
  const { default: Client, APIError } = module;
  const { previousResponseId } = turn;
  const [way] = access.ways;
  if (!way) return failed('auth', 'there is no way to its provider');
  const client = new Client({
    ...{ apiKey: way.token, baseURL: way.baseUrl, maxRetries: 0, timeout: TIMEOUT_MS, logLevel: 'off' },
    fetch: watched.fetch,
  });
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
    return providerFailed(recordOf(error), { status, headers, previousResponseId }, access.signal);
  }
  const where = { status: undefined, headers: undefined, previousResponseId };
  if (stream.error) return providerFailed(stream.error, where, access.signal);
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
function answerOf(response: Fields, output: readonly unknown[], { input, instructions }: TurnRequest): string {
  const { id: response_id, model, status, usage } = response;
  const tokensOf = (chars: number) => Math.ceil(chars / TOKEN_CHARS);
  const measured = () => ({
    input_tokens: tokensOf(JSON.stringify(input).length + instructions.length),
    output_tokens: tokensOf(JSON.stringify(output).length),
  });
  const isTold = typeof recordOf(usage).input_tokens === 'number';
  return JSON.stringify({ response_id, model, status, output, usage: isTold ? usage : measured() });
}
