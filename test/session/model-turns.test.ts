import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TurnReading } from '../../src/core/session/session-messages.js';
import type { Clock } from '../../src/engine/ports.js';
import type { Fault } from '../../src/testing/index.js';
import { until } from '../faults/processes/playground.js';
import { RUN, SECRET, TurnStage } from './turn-stage.js';

type Response = Extract<TurnReading, { type: 'response' }>;

/** What clients are shown of it. */
function bodiesOf(stage: TurnStage, reading: TurnReading): unknown[] {
  const { said } = reading as Response;
  return said.flatMap((one) => (one.type === 'call' ? [] : [JSON.parse(stage.text(one.said))]));
}

const LIST = { name: 'exec_command', arguments: { command: ['ls'] } };

test('a summary is streamed to nobody, and nothing of it is to be taken back', async () => {
  const stage = await TurnStage.open([{ text: 'Hello.' }, { text: 'They said hello.', reasoning: 'I sum up.' }]);
  stage.input('Hello');
  await stage.turn();
  stage.said.length = 0;
  stage.kept.length = 0;
  stage.tell({ type: 'Compact', sub: 's2', atMs: 9_000 });
  const { events } = await stage.turn();
  expect(events.map(({ type }) => type)).toContain('Compacted');
  expect([stage.said, stage.kept]).toEqual([[], []]);
});

test('[R491] [R508] words are streamed as they come, and the response is collected until it is complete', async () => {
  const stage = await TurnStage.open([
    {
      reasoning: 'First I look around.',
      text: 'The folder has two files.',
      delta_chars: 5,
      usage: { input: 900, cached_input: 100, output: 40, reasoning: 7 },
    },
  ]);
  stage.input('What is here?');
  const { reading, events } = await stage.turn();
  const { said, figures, responseId } = reading as Response;
  expect(said.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  expect(bodiesOf(stage, reading)).toEqual([
    { text: 'First I look around.' },
    { message: 'The folder has two files.' },
  ]);
  expect(figures).toEqual({ input: 900, cachedInput: 100, output: 40, reasoning: 7 });
  expect(responseId).toMatch(/^resp_/);

  const deltas = stage.said.map(({ id, msg }) => ({ id, ...msg }) as Record<string, unknown>);
  expect(deltas.length).toBeGreaterThan(4);
  expect(deltas.every(({ id }) => id === 's1')).toBe(true);
  for (const [name, type, text] of [
    ['1.1.0', 'agent_reasoning_delta', 'First I look around.'],
    ['1.1.1', 'agent_message_delta', 'The folder has two files.'],
  ] as const) {
    const pieces = deltas.filter(({ item_id }) => item_id === name);
    expect(pieces.every((piece) => piece.type === type)).toBe(true);
    expect(pieces.map(({ delta }) => delta).join('')).toBe(text);
    let offset = 0;
    for (const piece of pieces) {
      expect(piece.offset).toBe(offset);
      offset += String(piece.delta).length;
    }
  }
  expect(stage.kept).toContain('1.1.0,1.1.1');
  expect(events.at(-1)).toMatchObject({ type: 'TaskEnded', responseId });
  const late: unknown[] = [];
  stage.live.listen(RUN, (event) => late.push(event));
  expect(late, 'nothing is open when it has ended').toEqual([]);
});

test('[R510] [R513] what came of the calls of a turn is sent with the next one, with the whole history before it', async () => {
  const stage = await TurnStage.open([
    { text: 'I look.', tool_calls: [LIST, { name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' }] },
    { text: 'Done.' },
  ]);
  stage.input('What is here?');
  const first = await stage.turn();
  const { responseId } = first.reading as Response;
  expect(stage.session.nodes.at(-1)?.responseId).toBe(responseId);
  stage.answerCalls('did');
  const { events } = await stage.turn();
  expect(events.at(-1)).toMatchObject({ type: 'TaskEnded' });
  expect(stage.sent).toMatchObject({ previousResponseId: null, store: false, model: 'scripted' });
  const types = stage.sent?.input.map((item) => (item as { type: string }).type);
  expect(types).toEqual([
    ...['message', 'message', 'function_call', 'custom_tool_call', 'function_call_output', 'custom_tool_call_output'],
  ]);
  expect(stage.sent?.input.slice(4)).toMatchObject([{ output: 'did call-1' }, { output: 'did call-2' }]);
  expect(JSON.stringify(stage.sent?.input)).not.toMatch(/"id"|"status"/);
  const [, served] = stage.server.served();
  expect(served).toMatchObject({ replies: 1, previousResponseId: null, prompts: ['What is here?'] });
});

test('[R507] a provider that keeps the thread is told the last response and only what is new', async () => {
  const stage = await TurnStage.open([{ tool_calls: [LIST, LIST] }, { text: 'Done.' }], {
    order: { history: 'server' },
  });
  stage.input('What is here?');
  const { reading } = await stage.turn();
  stage.answerCalls('did');
  await stage.turn();
  const { responseId } = reading as Response;
  expect(stage.server.served()[1]).toMatchObject({ previousResponseId: responseId, replies: 0, prompts: [] });
  expect(stage.sent).toMatchObject({ store: true, input: [{ output: 'did call-1' }, { output: 'did call-2' }] });
});

test('[R507] a response that only the provider knows is named to it, with what is said now', async () => {
  const stage = await TurnStage.open([{ text: 'Yes.' }]);
  stage.input('Go on.', 's1', 'resp_from-elsewhere_0');
  await stage.turn();
  expect(stage.server.served()[0]).toMatchObject({ previousResponseId: 'resp_from-elsewhere_0', prompts: ['Go on.'] });
  expect(stage.sent).toMatchObject({ store: true });
  stage.input('And now?', 's2');
  const request = await stage.request();
  expect(request.previousResponseId).toBe(stage.session.nodes[0]?.responseId);
  expect(request.input).toHaveLength(1);
});

test('the same facts always give the same request', async () => {
  const stage = await TurnStage.open([{ tool_calls: [LIST] }, { text: 'Done.' }]);
  stage.input('What is here?');
  await stage.turn();
  stage.answerCalls('did');
  const { facts } = stage;
  const before = JSON.stringify(await stage.request(facts));
  expect(JSON.stringify(await stage.request(facts))).toBe(before);
  await stage.ask();
  expect(JSON.stringify(await stage.request(facts))).toBe(before);
});

test('sealed reasoning is asked for and sent back to a provider that keeps nothing', async () => {
  const stage = await TurnStage.open([
    { reasoning: 'Hm.', sealed_reasoning: 'gAAAAABo', tool_calls: [LIST] },
    { text: 'Done.' },
  ]);
  stage.input('What is here?');
  await stage.turn();
  stage.answerCalls('did');
  const { input } = await stage.request();
  expect(input[1]).toEqual({
    ...{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAAAABo' },
  });
});

test('a secret in the words of a model is never streamed, also when it comes in pieces', async () => {
  const text = `The password is ${SECRET} and Authorization: Bearer abcdefghij0123456789 too. ok`;
  const stage = await TurnStage.open([{ text, delta_chars: 3 }]);
  stage.input('Tell me.');
  const { reading } = await stage.turn();
  const streamed = stage.said.map(({ msg }) => msg.delta).join('');
  expect(streamed).toMatch(/^The password is \[secret\] and .* too\. ok$/);
  expect(streamed).not.toContain('abcdefghij');
  expect(bodiesOf(stage, reading)).toEqual([{ message: streamed }]);
});

test('1,000 calls in one response: 64 are taken, and the model is told of the others', async () => {
  const stage = await TurnStage.open([{ tool_calls: Array.from({ length: 1_000 }, () => LIST) }]);
  stage.input('Go.');
  const { reading } = await stage.turn();
  expect(reading).toMatchObject({ callsLeftOut: 936 });
  expect((reading as Response).said).toHaveLength(64);
  stage.answerCalls('did');
  const { input } = await stage.request();
  expect(input).toHaveLength(1 + 2 * 1_000);
  const outputs = input.filter((item) => 'output' in item) as { output: string }[];
  expect(
    outputs.filter(({ output }) => output.startsWith('did')),
    'those that were taken',
  ).toHaveLength(64);
  expect(outputs.filter(({ output }) => output.includes('at most 64'))).toHaveLength(936);
});

test('a response without a name gets one of ours, and the thread goes on without it', async () => {
  const stage = await TurnStage.open([{ text: 'Yes.', fault: { kind: 'no-id' } }], { order: { history: 'server' } });
  stage.input('Well?');
  const { reading } = await stage.turn();
  expect(reading).toMatchObject({ responseId: 'local-1.1' });
  stage.input('And?', 's2');
  expect(await stage.request()).toMatchObject({ previousResponseId: null, input: [{}, { role: 'assistant' }, {}] });
});

test('an answer that ran into the limit of the model is kept as far as it came', async () => {
  const stage = await TurnStage.open([{ text: 'Once upon', fault: { kind: 'incomplete' } }]);
  stage.input('Tell me.');
  expect((await stage.turn()).reading).toMatchObject({ isCut: true, said: [{ type: 'message' }] });
});

test('who tells no figures is measured by length', async () => {
  const stage = await TurnStage.open([{ text: 'word '.repeat(1_000), fault: { kind: 'no-usage' } }]);
  stage.input('Tell me.');
  const { figures } = (await stage.turn()).reading as Response;
  expect(figures.output).toBeGreaterThan(1_000);
  expect(figures.input).toBeGreaterThan(100);
});

describe('a model that fails', () => {
  const TEXT = { text: 'one two three four five six seven eight nine ten', delta_chars: 8 };
  const failures: [string, Fault, object][] = [
    ['cuts the stream', { kind: 'cut', after_deltas: 2 }, { failure: 'network', thread: '1.1.0' }],
    ['ends without saying so', { kind: 'no-end' }, { failure: 'network', thread: '1.1.0' }],
    ['streams garbage', { kind: 'garbage', after_deltas: 2 }, { failure: 'network', thread: '1.1.0' }],
    ['streams nothing but garbage', { kind: 'garbage', after_deltas: 0 }, { failure: 'network' }],
    ['is overloaded', { kind: 'status', status: 503 }, { failure: 'network' }],
    ['is at its limit', { kind: 'status', status: 429, retry_after_s: 7 }, { failure: 'limit', retryAfterMs: 7_000 }],
    ['does not know the key', { kind: 'status', status: 401 }, { failure: 'auth' }],
    ['is forbidden', { kind: 'status', status: 403 }, { failure: 'auth' }],
    ['finds the request wrong', { kind: 'status', status: 405, message: 'no such tool' }, { failure: 'refused' }],
    ['is not there', { kind: 'status', status: 404, type: 'model_not_found' }, { failure: 'not-found' }],
    ['redirects', { kind: 'redirect', location: 'http://example.invalid/' }, { failure: 'network' }],
    ['fails in the stream', { kind: 'error-event', type: 'server_error', after_deltas: 1 }, { failure: 'network' }],
    [
      'is at its limit in the stream',
      { kind: 'error-event', type: 'rate_limit_exceeded', after_deltas: 1 },
      { failure: 'limit' },
    ],
  ];
  test.each(failures)('%s', async (_, fault, expected) => {
    const stage = await TurnStage.open([{ ...TEXT, fault }]);
    stage.input('Go.');
    const outcome = await stage.ask();
    expect(outcome).toMatchObject({ type: 'failed', ...expected });
    expect(stage.kept.at(-1)).toBe((outcome as { thread?: string }).thread);
    const late: unknown[] = [];
    stage.live.listen(RUN, (event) => late.push(event));
    expect(late).toEqual([]);
  });

  const full: [string, Fault][] = [
    ['by a code', { kind: 'status', status: 400, type: 'context_length_exceeded' }],
    ['by words', { kind: 'status', status: 400, message: "This model's maximum context length is 8192 tokens." }],
    ['in the stream', { kind: 'error-event', type: 'context_length_exceeded', after_deltas: 0 }],
  ];
  test.each(full)('says that the thread is too long: %s', async (_, fault) => {
    const stage = await TurnStage.open([{ ...TEXT, fault }]);
    stage.input('Go.');
    expect(await stage.ask()).toMatchObject({ type: 'answered', text: '{"context_full":true}' });
  });

  test('does not know the response that it is to go on from', async () => {
    const message = "Previous response with id 'resp_old' not found.";
    for (const status of [400, 404]) {
      const fault: Fault = { kind: 'status', status, type: 'previous_response_not_found', message };
      const stage = await TurnStage.open([{ fault }]);
      stage.input('Go on.', 's1', 'resp_old');
      const reason = 'the provider does not know the response resp_old';
      expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'refused', reason });
    }
  });

  test('cannot be reached', async () => {
    const stage = await TurnStage.open([TEXT], { url: 'http://127.0.0.1:9/v1' });
    stage.input('Go.');
    expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'network' });
  });

  test('never ends: what is too long is ended', async () => {
    const text = 'all work and no play '.repeat(3_000);
    const stage = await TurnStage.open([{ text, delta_chars: 60_000, fault: { kind: 'endless', after_deltas: 0 } }]);
    stage.input('Go.');
    const reason = 'the answer has more than 8388608 bytes';
    expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'refused', reason, thread: '1.1.0' });
    await until('the connection is closed', () => stage.server.served()[0]?.complete === false);
  });

  test('says nothing any more: silence ends it', async () => {
    const stage = await TurnStage.open([{ ...TEXT, fault: { kind: 'hang', after_deltas: 2 } }]);
    const timers: { delayMs: number; call: () => void }[] = [];
    let jumpedMs = 0;
    const clock: Clock = {
      nowMs: () => 0,
      monotonicMs: () => jumpedMs,
      after(delayMs, call) {
        timers.push({ delayMs, call });
        return () => {};
      },
    };
    stage.clock = clock;
    stage.input('Go.');
    const asked = stage.ask();
    await until('words were shown', () => stage.said.length > 0);
    jumpedMs = 5 * 60_000 + 1;
    const [idle] = timers;
    expect(idle?.delayMs).toBe(5 * 60_000);
    idle?.call();
    expect(await asked).toMatchObject({ type: 'failed', failure: 'timeout', thread: '1.1.0' });
  });
});

test('an interrupt in the middle of a stream closes the connection and settles', async () => {
  const abort = new AbortController();
  const stage = await TurnStage.open([{ text: 'word '.repeat(1_000), fault: { kind: 'hang', after_deltas: 3 } }]);
  stage.input('Go.');
  const asked = stage.ask(abort.signal);
  await until('words were shown', () => stage.said.length > 0);
  abort.abort();
  expect(await asked).toMatchObject({ type: 'failed', failure: 'timeout', thread: '1.1.0' });
  expect(stage.server.served()[0]).toMatchObject({ complete: false });
});

describe('what a turn uses', () => {
  test('is counted by the meter, whatever the model says of itself', async () => {
    const stage = await TurnStage.open([{ text: 'Yes.', usage: { input: 1_000, output: 70 } }]);
    stage.input('Well?');
    expect(await stage.ask()).toMatchObject({
      type: 'answered',
      usage: { inputTokens: 1_000, outputTokens: 70, costMicroUsd: 1_140 },
    });
  });

  test('is stopped in the middle when nothing is left to spend', async () => {
    const budgetOf = async () => ({ limits: { tokensMax: 3_000 }, spent: { tokens: 0, costMicroUsd: 0 } });
    const text = 'word '.repeat(100);
    const stage = await TurnStage.open([{ text, fault: { kind: 'endless', after_deltas: 3 } }], { budgetOf });
    stage.input('Go.');
    expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'spent', thread: '1.1.0' });
    expect(stage.server.served()[0]).toMatchObject({ complete: false });
  });
});

test('only a model that speaks responses is asked', async () => {
  const chat = { adapter: 'model', wire: 'chat', model: 'm', baseUrl: undefined } as const;
  for (const [spec, is] of [
    [chat, 'speaks chat'],
    [{ adapter: 'human' }, 'is of the kind human'],
  ] as const) {
    const stage = await TurnStage.open([], { spec });
    stage.input('Go.');
    const reason = `a session needs a model that speaks responses, and model ${is}`;
    expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'refused', reason });
  }
});

/** Answers with these bytes, whatever is asked. */
async function raw(answer: (response: ServerResponse, asked: number, body: string) => void): Promise<string> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked += 1;
    answer(response, asked, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const frames = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const SSE = { 'content-type': 'text/event-stream' };
const MESSAGE = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi there.' }] };

describe('a provider of its own kind', () => {
  test('that refuses to seal reasoning is asked without it', async () => {
    const url = await raw((response, asked, body) => {
      if (body.includes('encrypted_content')) {
        const error = { message: 'Encrypted content is not supported with this model.', type: 'invalid_request_error' };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      } else {
        const done = { type: 'response.completed', response: { id: `resp_${asked}`, output: [MESSAGE] } };
        response.writeHead(200, SSE).end(frames(done));
      }
    });
    const stage = await TurnStage.open([], { url });
    stage.input('Hello?');
    expect((await stage.turn()).reading).toMatchObject({ responseId: 'resp_2', said: [{ type: 'message' }] });
  });

  test('that tells its items one by one, and not again at the end, is understood', async () => {
    const item = { type: 'response.output_item.done', output_index: 0, item: MESSAGE };
    const done = { type: 'response.completed', response: { id: 'resp_1', output: [] } };
    const url = await raw((response) => response.writeHead(200, SSE).end(frames(item, done)));
    const stage = await TurnStage.open([], { url });
    stage.input('Hello?');
    expect((await stage.turn()).reading).toMatchObject({ said: [{ type: 'message', itemId: '1.1.0' }] });
  });

  test('that leaves the stream open after the end is not waited for', async () => {
    const done = { type: 'response.completed', response: { id: 'resp_1', output: [MESSAGE] } };
    const url = await raw((response) => response.writeHead(200, SSE).write(frames(done)));
    const stage = await TurnStage.open([], { url });
    stage.input('Hello?');
    expect((await stage.turn()).reading).toMatchObject({ responseId: 'resp_1' });
  });

  const nonsense: [string, string][] = [
    ['nothing', ''],
    ['a page', '<html>502</html>'],
    ['JSON of another kind', frames(null as never, [] as never, 5 as never, { type: 5 }, { delta: {} })],
    ['an end without a response', frames({ type: 'response.completed' })],
    ['an end with something else for a response', frames({ type: 'response.completed', response: [MESSAGE] })],
    [
      'deltas of wrong types',
      frames(
        { type: 'response.output_text.delta', output_index: -1, delta: 'x ' },
        { type: 'response.output_text.delta', output_index: 'a', delta: 5 },
      ),
    ],
  ];
  test.each(nonsense)('that sends %s is a network that failed', async (_, bytes) => {
    const url = await raw((response) => response.writeHead(200, SSE).end(bytes));
    const stage = await TurnStage.open([], { url });
    stage.input('Hello?');
    expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'network' });
    expect(stage.said).toEqual([]);
  });
});
