import { on, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startModelServer } from '../../src/testing/index.js';
import { filledIn, speak, TRANSPORT_EXAMPLES, type TransportExample } from '../docs/transport-examples.js';
import { ServerStage } from './server-stage.js';

const TIMEOUT = { timeout: 120_000 };
type Message = { id: string; seq?: number; msg: { type: string; [field: string]: unknown } };

class SocketStage extends ServerStage {
  socket(where: string, headers: Record<string, string> = {}): WebSocket {
    const socket = new WebSocket(`${this.server.url.replace('http', 'ws')}/api/v1${where}`, { headers });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    return socket;
  }

  async session(): Promise<string> {
    const model = await startModelServer({ turns: [{ steps: [{ text: 'Good morning.' }] }] });
    onTestFinished(() => model.close());
    await this.post('/agents', {
      id: 'coder',
      adapter: 'model',
      model: 'm',
      base_url: `${model.url}/v1`,
      login: 'key',
    });
    const cwd = path.join(this.folder, 'work');
    mkdirSync(cwd);
    return String((await this.post('/sessions', { cwd, provider: 'coder' })).json.run_id);
  }
}

function started(): Promise<SocketStage> {
  const stage = new SocketStage();
  stage.extra = { ...stage.extra, OPENAI_API_KEY: 'scripted' };
  return ServerStage.serve(stage, {});
}

/** Every message up to and with the first of a type. */
function until(socket: WebSocket, type: string): Promise<Message[]> {
  const seen: Message[] = [];
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(seen)}`)));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      seen.push(message);
      if (message.msg.type === type) resolve(seen);
    });
  });
}

function statusOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
  });
}

test('whoever shows a token is attached to the session of the path and goes on with it', TIMEOUT, async () => {
  const stage = await started();
  const run = await stage.session();
  const socket = stage.socket(`/sessions/${run}/ws`, { authorization: `Bearer ${stage.token}` });
  const [attached] = await until(socket, 'session_configured');
  expect(attached).toMatchObject({ id: 'attach', msg: { session_id: run } });
  socket.send(JSON.stringify({ id: 'hello', op: { type: 'user_input', items: [{ type: 'text', text: 'Hello' }] } }));
  const seen = await until(socket, 'task_complete');
  expect(seen.at(-1)).toMatchObject({ id: 'hello', msg: { last_agent_message: 'Good morning.' } });
});

test('without a token in the header the first message says who is there', TIMEOUT, async () => {
  const stage = await started();
  const run = await stage.session();
  const socket = stage.socket('/sessions/ws');
  socket.on('open', () => {
    socket.send(JSON.stringify({ id: '1', op: { type: 'authenticate', token: stage.token } }));
    socket.send(JSON.stringify({ id: '2', op: { type: 'attach', session_id: run } }));
  });
  const seen = await until(socket, 'session_configured');
  expect(seen.slice(0, 2).map(({ id, msg }) => [id, msg.type])).toEqual([
    ['1', 'authenticated'],
    ['2', 'session_configured'],
  ]);
  const stranger = stage.socket(`/sessions/${run}/ws`, { authorization: 'Bearer wrong' });
  const [told] = await until(stranger, 'error');
  expect(told?.msg).toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a page of another site, another name of this machine and other addresses are refused', TIMEOUT, async () => {
  const stage = await started();
  const authorization = `Bearer ${stage.token}`;
  expect(await statusOf(stage.socket('/sessions/ws', { authorization, origin: 'https://evil.example' }))).toBe(403);
  expect(await statusOf(stage.socket('/sessions/ws', { authorization, host: 'evil.example' }))).toBe(421);
  expect(await statusOf(stage.socket('/runs', { authorization }))).toBe(404);
});

test('the examples of the protocol for a server are what happens', TIMEOUT, async () => {
  const stage = await started();
  await stage.session();
  const exampleOf = (title: string) =>
    filledIn(TRANSPORT_EXAMPLES.get(title) as TransportExample, stage.token, path.join(stage.folder, 'work'));
  const framed = exampleOf('WebSocket of a server');
  const socket = stage.socket(String(framed.path).replace('/api/v1', ''), framed.headers);
  await once(socket, 'open');
  const events = on(socket, 'message');
  const next = async () => JSON.parse(String((await events.next()).value[0])) as Message;
  for (const [shown, came] of await speak(framed, { send: (text) => socket.send(text), next })) {
    expect(came).toEqual(shown);
  }
  const { method, path: where = '', headers, steps } = exampleOf('Routes of a server');
  const body = steps[0]?.text ?? '';
  const response = await fetch(`${stage.server.url}${where}`, { ...(method && { method }), headers, body });
  expect(response.status).toBe(201);
  expect(Object.keys((await response.json()) as object)).toEqual(Object.keys(JSON.parse(steps[1]?.text ?? '')));
});
