import { afterEach, describe, expect, test } from 'vitest';
import type { ModelScenario, Step } from './model-scenario.js';
import { type ModelServer, startModelServer } from './start-model-server.js';

let server: ModelServer;
afterEach(() => server.close());

async function play(scenario: ModelScenario | Step): Promise<void> {
  server = await startModelServer('turns' in scenario ? scenario : { turns: [{ steps: [scenario] }] });
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const events = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));
const user = (content: string) => ({ role: 'user', content });

const STEP: Step = {
  reasoning: 'Let me see.',
  text: 'I look.',
  tool_calls: [{ name: 'shell', arguments: { command: 'ls' } }],
  usage: { input: 20, cached_input: 5, cache_write: 4, output: 9, reasoning: 3 },
  delta_chars: 4,
};

describe('one step in the words of each wire', () => {
  test('responses', async () => {
    await play(STEP);
    const streamed = events((await post('responses', { input: 'x', stream: true })).text);
    const whole = JSON.parse((await post('responses', { input: 'x' })).text);
    expect(streamed.map(({ sequence_number }) => sequence_number)).toEqual(streamed.map((_, index) => index));
    expect(streamed.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: whole.usage } });
    expect(whole.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Let me see.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', name: 'shell', arguments: '{"command":"ls"}' },
    ]);
    expect(whole.usage).toEqual({
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 5, cache_write_tokens: 4 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 29,
    });
    const joined = (type: string) =>
      streamed
        .filter((one) => one.type === type)
        .map(({ delta }) => delta)
        .join('');
    expect(joined('response.output_text.delta')).toBe('I look.');
    expect(joined('response.function_call_arguments.delta')).toBe('{"command":"ls"}');
  });

  test('chat', async () => {
    await play(STEP);
    const body = { messages: [user('x')] };
    const streamed = await post('chat/completions', { ...body, stream: true, stream_options: { include_usage: true } });
    const deltas = events(streamed.text).flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta));
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('I look.');
    expect(events(streamed.text).at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
    });
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect((await post('chat/completions', { ...body, stream: true })).text).not.toContain('usage');
    const [choice] = JSON.parse((await post('chat/completions', body)).text).choices;
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: 'I look.', tool_calls: [{ function: { name: 'shell', arguments: '{"command":"ls"}' } }] },
    });
  });

  test('messages', async () => {
    await play(STEP);
    const body = { messages: [user('x')] };
    const streamed = events((await post('messages', { ...body, stream: true })).text);
    expect(streamed.map(({ type }) => type).filter((type) => type !== 'content_block_delta')).toEqual([
      ...['message_start', 'ping', 'content_block_start', 'content_block_stop', 'content_block_start'],
      ...['content_block_stop', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'],
    ]);
    expect(streamed[0].message.usage).toMatchObject({
      input_tokens: 11,
      cache_creation_input_tokens: 4,
      cache_read_input_tokens: 5,
    });
    expect(JSON.parse((await post('messages', body)).text)).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'thinking' }, { type: 'text' }, { type: 'tool_use', name: 'shell', input: { command: 'ls' } }],
    });
  });
});

describe('the step follows from the request alone', () => {
  const tool = { name: 'shell', arguments: {} };
  const scenario: ModelScenario = {
    turns: [
      { when: { prompt: 'other' }, steps: [{ text: 'elsewhere' }] },
      {
        steps: [{ text: 'first', tool_calls: [tool, tool] }, { text: 'second', tool_calls: [tool] }, { text: 'third' }],
      },
    ],
  };
  const said = ({ text }: { text: string }) => /elsewhere|first|second|third|all were played/.exec(text)?.[0];

  test('responses: results since the last prompt, also behind the id of an earlier response', async () => {
    await play(scenario);
    const result = { type: 'function_call_output', call_id: 'c', output: 'x' };
    const ask = (input: object[] | string, more = {}) => post('responses', { input, ...more });
    const first = await ask('go');
    const heard = [
      first,
      await ask([user('go'), result]),
      await ask([user('go'), result, result]),
      await ask([user('go'), result, result, result]),
      await ask([user('go'), result, result, result, user('other')]),
      await ask([user('go'), result, result, result, result]),
    ];
    expect(heard.map(said)).toEqual(['first', 'second', 'second', 'third', 'elsewhere', 'all were played']);
    const { id } = JSON.parse(first.text);
    const second = await ask([result, result], { previous_response_id: id });
    const third = await ask([result], { previous_response_id: JSON.parse(second.text).id });
    expect([said(second), said(third)]).toEqual(['second', 'third']);
  });

  test('messages: results stand in messages of the user, with other words beside them', async () => {
    await play(scenario);
    const result = { type: 'tool_result', tool_use_id: 't', content: 'x' };
    const messages = [user('go'), { role: 'user', content: [result, result, { type: 'text', text: 'other' }] }];
    expect(said(await post('messages', { messages }))).toBe('second');
  });

  test('chat: results are messages of their own', async () => {
    await play(scenario);
    const result = { role: 'tool', tool_call_id: 't', content: 'x' };
    const messages = [user('go'), result, result, { role: 'assistant', content: 'x' }, result];
    expect(said(await post('chat/completions', { messages }))).toBe('third');
  });
});

describe('faults', () => {
  test('a status with a wait, until the client has tried often enough', async () => {
    await play({ text: 'at last', fault: { kind: 'status', status: 429, retry_after_s: 3, retries_below: 2 } });
    const tries = await Promise.all(
      ['0', '1', '2'].map((count) => post('responses', { input: 'x' }, { 'x-stainless-retry-count': count })),
    );
    expect(tries.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(tries[0]?.headers.get('retry-after')).toBe('3');
  });

  test.each(['cut', 'hang'] as const)('%s: the stream never ends well', async (kind) => {
    await play({ text: 'one two three four', delta_chars: 4, fault: { kind, after_deltas: 2 } });
    const body = JSON.stringify({ messages: [user('x')], stream: true });
    const left = new AbortController();
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body, signal: left.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (kind === 'hang' && text.includes('"two ')) left.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect([text.includes('one '), text.includes('thre'), text.includes('message_stop')]).toEqual([true, false, false]);
  });

  test('garbage, no usage, wrong usage, a redirect', async () => {
    const figures = { input: -5, cached_input: 0, output: 'many', reasoning: null };
    await play({
      turns: [
        { when: { prompt: 'a' }, steps: [{ text: 'x', fault: { kind: 'garbage', after_deltas: 0 } }] },
        { when: { prompt: 'b' }, steps: [{ text: 'x', fault: { kind: 'no-usage' } }] },
        { when: { prompt: 'c' }, steps: [{ text: 'x', fault: { kind: 'wrong-usage', report: figures } }] },
        { steps: [{ fault: { kind: 'redirect', location: '/elsewhere' } }] },
      ],
    });
    const ask = (input: string) => post('responses', { input });
    const [garbage, none, wrong] = [await ask('a'), await ask('b'), await ask('c')];
    expect(() => JSON.parse(garbage.text)).toThrow();
    expect(JSON.parse(none.text).usage).toBeUndefined();
    expect(JSON.parse(wrong.text).usage).toMatchObject({ input_tokens: -5, output_tokens: 'many' });
    const response = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      body: '{"input":"d"}',
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([307, '/elsewhere']);
  });
});

test('it counts what it served by the id it tells', async () => {
  await play(STEP);
  const { headers } = await post('responses', { input: 'x', model: 'm' }, { authorization: 'Bearer x' });
  expect(server.served()).toEqual([
    expect.objectContaining({
      id: headers.get('x-request-id'),
      wire: 'responses',
      stream: false,
      model: 'm',
      status: 200,
      complete: true,
      tokens: { input: 20, cached_input: 5, cache_write: 4, output: 9, reasoning: 3 },
      headers: expect.objectContaining({ authorization: 'Bearer x' }),
    }),
  ]);
});

test('what is no request of a model is refused', async () => {
  await play(STEP);
  expect((await post('embeddings', {})).status).toBe(404);
  const broken = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{' });
  expect([broken.status, JSON.parse(await broken.text()).type]).toEqual([400, 'error']);
  expect(JSON.parse(await fetch(`${server.url}/v1/models`).then((response) => response.text())).data[0].id).toBe(
    'scripted',
  );
  expect((await post('messages/count_tokens', {})).text).toBe('{"input_tokens":1}');
});
