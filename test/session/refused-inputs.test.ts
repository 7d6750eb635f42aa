/** A provider that does not take an input: that task fails, and the session goes on. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectInProcess } from '../../src/transports/in-process.js';
import { openBaton } from '../../src/wiring.js';
import { hostOptions } from './transports/ways-in.js';

const WINDOW_TOKENS = 200_000;
type Refusal = { code: string | null; type: string; message: string; param?: string };

/** Answers each request, unless this says why not. */
async function provider(refuses: (request: string) => Refusal | undefined) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    request.setEncoding('utf8');
    let body = '';
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body) as { input: unknown };
    asked.push(JSON.stringify(input));
    const error = refuses(asked.at(-1) ?? '');
    if (error) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const content = [{ type: 'output_text', text: 'It is noted.' }];
    const output = [{ type: 'message', role: 'assistant', content }];
    const done = { type: 'response.completed', response: { id: `resp_${asked.length}`, output } };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(done)}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

const windowOf = (tokenChars: number) => (request: string) =>
  request.length / tokenChars > WINDOW_TOKENS
    ? { code: 'context_length_exceeded', type: 'invalid_request_error', message: 'too long' }
    : undefined;
const noPictures = (request: string) =>
  request.includes('image_url')
    ? { code: null, type: 'invalid_request_error', message: 'this model takes no pictures' }
    : undefined;

async function session(url: string) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-refused-')));
  const env = { PATH: process.env.PATH, OPENAI_BASE_URL: url, OPENAI_API_KEY: 'scripted' };
  const baton = await openBaton({ home: path.join(root, 'home'), cwd: root, env, writer: 'main', drives: true });
  onTestFinished(async () => {
    await baton.close();
    rmSync(root, { recursive: true, force: true });
  });
  const client = connectInProcess(hostOptions(baton.sessions));
  const events = client.events[Symbol.asyncIterator]();
  await client.submit({ id: 'c', op: { type: 'configure_session', cwd: root } });
  let sent = 0;
  const ask = async (op: object): Promise<string[]> => {
    sent += 1;
    await client.submit({ id: `s-${sent}`, op } as Parameters<typeof client.submit>[0]);
    const seen: string[] = [];
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error('it ended');
      const { type, code } = value.msg as { type: string; code?: string };
      if (['warning', 'error', 'task_complete'].includes(type)) seen.push(code ?? type);
      if (type === 'error' || type === 'task_complete') return seen;
    }
  };
  const say = (text: string) => ask({ type: 'user_input', items: [{ type: 'text', text }] });
  return { ask, say };
}

const DONE = ['task_complete'];
const FULL = ['INPUT_LEFT_OUT', 'CONTEXT_FULL'];
const HUGE = 'x'.repeat(900_000);

test('an input that is larger than the window fails alone, as the first one and later', async () => {
  const { url, asked } = await provider(windowOf(4));
  const { say, ask } = await session(url);
  expect(await say(HUGE)).toEqual(FULL);
  expect(await say('hello?')).toEqual(DONE);
  expect(asked.at(-1)).toMatch(/An input of the user is left out here.*hello\?/);
  expect(await say(HUGE)).toEqual(FULL);
  expect(await say('and now?')).toEqual(DONE);
  expect(await ask({ type: 'compact' })).toEqual(DONE);
  expect(await say('and then?')).toEqual(DONE);
});

test('a thread whose text has more tokens than we guess is summarised all the same', async () => {
  const { url, asked } = await provider(windowOf(1));
  const { say } = await session(url);
  expect(await say('字'.repeat(120_000))).toEqual(DONE);
  expect(await say('字'.repeat(120_000))).toEqual(DONE);
  expect(asked.some((request) => request.includes('Sum up this thread'))).toBe(true);
  expect(await say('hello?')).toEqual(DONE);
});

test('a picture that the model does not take fails alone', async () => {
  const { url, asked } = await provider(noPictures);
  const { say, ask } = await session(url);
  await say('hello?');
  const image = { type: 'image', image_url: 'data:image/png;base64,AAAA' };
  const items = [{ type: 'text', text: 'look' }, image];
  expect(await ask({ type: 'user_input', items })).toEqual(['INPUT_LEFT_OUT', 'MODEL_FAILED']);
  expect(await say('and now?')).toEqual(DONE);
  expect(asked.at(-1)).toMatch(/hello\?.*left out here: your provider refused it.*and now\?/);
});

test('what is wrong with the set-up is no reason to leave out what was said', async () => {
  let model: Refusal | undefined = { code: 'model_not_found', type: 'invalid_request_error', message: 'no such model' };
  const { url, asked } = await provider(() => model);
  const { say } = await session(url);
  expect(await say('The door is green.')).toEqual(['MODEL_FAILED']);
  model = { code: null, type: 'invalid_request_error', message: 'unknown', param: 'tools[0].strict' };
  expect(await say('The roof is red.')).toEqual(['MODEL_FAILED']);
  model = undefined;
  expect(await say('Which colours?')).toEqual(DONE);
  expect(asked.at(-1)).toMatch(/The door is green.*The roof is red.*Which colours/);
});
