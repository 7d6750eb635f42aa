import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelSpec } from '../../src/agents/agent-spec.js';
import { modelAdapter } from '../../src/agents/model/model-adapter.js';
import type { ModelWork, Talk } from '../../src/agents/model/work-on-job.js';
import type { Ask } from '../../src/core/kernel/effect.js';
import { createScrub } from '../../src/engine/scrub.js';
import type { TurnRequest } from '../../src/engine/session/read-thread.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { type Fault, type ModelServer, type Step, startModelServer } from '../../src/testing/index.js';
import { testMetering } from './test-metering.js';

const WIRES = ['responses', 'chat', 'messages'] as const;
const ANSWER = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'It was read. It is good.' };
const REQUEST = JSON.stringify({
  job_id: 'j',
  phase: 'supervisor-review',
  system_prompt: 'You are the Supervisor.',
  task_description: 'Judge it.',
});
const ASK: Ask = {
  type: 'Ask',
  key: 'h1',
  agent: 'critic',
  attempt: 1,
  deadlineMs: 0,
  request: { sha256: '', bytes: 0 },
};

async function serve(...turns: readonly Step[]): Promise<ModelServer> {
  // Each repair is a prompt of its own, so it has a turn of its own.
  const [first = {}, second = first] = turns;
  const server = await startModelServer({
    turns: [{ when: { prompt: 'That was refused' }, steps: [second] }, { steps: [first] }],
  });
  onTestFinished(() => server.close());
  return server;
}

function ask(
  server: Pick<ModelServer, 'url'>,
  wire: ModelSpec['wire'],
  environment = {},
  signal = new AbortController().signal,
) {
  const baseUrl = wire === 'messages' ? server.url : `${server.url}/v1`;
  const spec: ModelSpec = { adapter: 'model', wire, model: 'scripted', baseUrl };
  const keys = { OPENAI_API_KEY: 'sk-test', ANTHROPIC_API_KEY: 'sk-test', ...environment };
  const metering = testMetering({ environment: keys });
  onTestFinished(() => metering.close());
  const adapter = modelAdapter(spec, { metering });
  return adapter({ run: 'j', epoch: 1 }, ASK, new TextEncoder().encode(REQUEST), signal);
}

describe.each(WIRES)('a model over %s', (wire) => {
  test('answers, and what it used is counted', async () => {
    const usage = { input: 1000, output: 70 };
    const server = await serve({ text: JSON.stringify(ANSWER), usage });
    const outcome = await ask(server, wire);
    const used = { inputTokens: 1000, outputTokens: 70, costMicroUsd: 1140 };
    expect(outcome).toEqual({
      type: 'answered',
      text: JSON.stringify(ANSWER),
      usage: { ...used, models: [{ model: 'scripted', ...used }] },
    });
    expect(server.served()).toHaveLength(1);
  });

  test('that answers with something else is told so, once, and both are paid for', async () => {
    const usage = { input: 1000, output: 50 };
    const server = await serve({ text: 'I think it is fine.', usage }, { text: JSON.stringify(ANSWER), usage });
    expect(await ask(server, wire)).toMatchObject({
      text: JSON.stringify(ANSWER),
      usage: { inputTokens: 2000, outputTokens: 100 },
    });
    expect(server.served()).toHaveLength(2);
  });

  test('that does so twice is answered for by the matrix', async () => {
    const server = await serve({ text: 'Fine.' });
    expect(await ask(server, wire)).toMatchObject({ type: 'answered', text: 'Fine.' });
    expect(server.served()).toHaveLength(2);
  });

  test.each<[string, Fault, object]>([
    ['a limit', { kind: 'status', status: 429, retry_after_s: 120 }, { failure: 'limit', retryAfterMs: 120_000 }],
    ['a key that is none', { kind: 'status', status: 401 }, { failure: 'auth' }],
    ['a key that may not', { kind: 'status', status: 403 }, { failure: 'auth' }],
    ['a service in trouble', { kind: 'status', status: 503 }, { failure: 'network' }],
    ['a request it does not take', { kind: 'status', status: 400 }, { failure: 'refused' }],
    ['a way to somewhere else', { kind: 'redirect', location: 'http://127.0.0.1:9/' }, { failure: 'network' }],
  ])('fails with %s', async (_, fault, expected) => {
    const server = await serve({ text: 'x', fault });
    expect(await ask(server, wire)).toMatchObject({ type: 'failed', ...expected });
    expect(server.served()).toHaveLength(1);
  });

  test('needs a key, and ends when it is told to', async () => {
    const server = await serve({ text: JSON.stringify(ANSWER), delay_ms: 60_000 });
    expect(await ask(server, wire, { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' })).toMatchObject({ failure: 'auth' });
    const stop = new AbortController();
    const asked = ask(server, wire, {}, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await asked).toMatchObject({ type: 'failed', failure: 'timeout' });
  });
});

test('a service that is not there is a bad network', async () => {
  const server = await serve({});
  await server.close();
  expect(await ask(server, 'messages')).toMatchObject({ type: 'failed', failure: 'network' });
  expect(await ask(server, 'chat')).toMatchObject({ type: 'failed', failure: 'network' });
});

describe('a model at work on a job', () => {
  type End = Awaited<ReturnType<Talk['say']>>;
  const REFUSED: Fault = { kind: 'status', status: 429, retry_after_s: 120 };
  const TURN: TurnRequest = {
    ...{ model: 'scripted', instructions: '', input: [], tools: [], previousResponseId: null, store: false, task: 't' },
  };

  /** Asks the model for one turn each time, and ends as it is told to. */
  async function asked(request: object, end: End | undefined, fault?: Fault) {
    const server = await serve({ text: JSON.stringify(ANSWER), ...(fault && { fault }) });
    const metering = testMetering({ environment: { OPENAI_API_KEY: 'sk-test' } });
    onTestFinished(() => metering.close());
    const said: string[] = [];
    const orders: Parameters<ModelWork['begin']>[0][] = [];
    const work: ModelWork = {
      ...{ clock: nodeClock, scrub: createScrub([]) },
      async begin(order) {
        orders.push(order);
        if (!end) return undefined;
        return {
          async say(text) {
            said.push(text);
            await order.turn(TURN, { turn: 1, attempt: 1 }, order.signal);
            return end;
          },
        };
      },
    };
    const spec: ModelSpec = { adapter: 'model', wire: 'responses', model: 'scripted', baseUrl: `${server.url}/v1` };
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const signal = new AbortController().signal;
    const outcome = await modelAdapter(spec, { metering, work })({ run: 'j', epoch: 1 }, ASK, bytes, signal);
    return { outcome, said, order: orders[0], served: server.served().length };
  }
  const request = { ...JSON.parse(REQUEST), metadata: { x_role: 'Worker' } };
  const failed = (code: Extract<End, { type: 'failed' }>['code']): End => ({ type: 'failed', code, message: 'why' });

  test('is told its role and the rest of the request, and nothing about having no hands', async () => {
    const { order, said } = await asked(request, { type: 'complete', message: JSON.stringify(ANSWER) });
    expect(order).toMatchObject({
      instructions: 'You are the Supervisor.',
      mayWrite: true,
      model: 'scripted',
      ask: ASK,
    });
    const { system_prompt: _, ...rest } = request;
    expect(said.map((text) => JSON.parse(text))).toEqual([rest]);
    const review = await asked({ ...request, metadata: { x_role: 'Supervisor' } }, failed('INTERRUPTED'));
    expect(review.order).toMatchObject({ mayWrite: false });
  });

  test.each([
    ['INTERRUPTED', undefined, { failure: 'timeout' }],
    ['LIMIT_REACHED', undefined, { failure: 'spent', reason: 'why' }],
    ['CONTEXT_FULL', undefined, { failure: 'refused', reason: 'why' }],
    ['MODEL_FAILED', undefined, { failure: 'refused', reason: 'why' }],
    ['MODEL_FAILED', REFUSED, { failure: 'limit', retryAfterMs: 120_000 }],
  ] as const)('that ends with %s (%j) fails as the matrix knows it', async (code, fault, expected) => {
    const { outcome } = await asked(request, failed(code), fault);
    expect(outcome).toMatchObject({ type: 'failed', ...expected });
    expect(outcome.thread, 'nobody goes on with it').toBeUndefined();
    expect(outcome.usage.inputTokens > 0, 'what it used is counted').toBe(fault === undefined);
  });

  test('is asked once where it has no folder, and for what is no job', async () => {
    expect(await asked(request, undefined)).toMatchObject({ outcome: { text: JSON.stringify(ANSWER) }, served: 1 });
    const bare = await asked({ question: 'Why?' }, failed('INTERRUPTED'));
    expect(bare).toMatchObject({ outcome: { type: 'answered' }, order: undefined, served: 1 });
  });
});
