import { expect, test } from 'vitest';
import type { SessionClient } from '../engine/session/session-client.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { EventQueue } from './event-queue.js';
import { connectLasting } from './lasting-client.js';

type Connection = { client: SessionClient; sent: unknown[]; tell(...events: WireEvent[]): void; lose(): void };

/** A server's side that says what the test wants. Every connection is one of its own. */
async function staged() {
  const connections: Connection[] = [];
  const states: string[] = [];
  const open = async (): Promise<SessionClient> => {
    const events = new EventQueue();
    const sent: unknown[] = [];
    const send = async (what: unknown) => void sent.push(what);
    const lose = () => events.end();
    const client = { events, submit: send, sendLine: send, end: lose, close: lose };
    connections.push({ client, sent, lose, tell: (...told) => told.forEach((event) => void events.add(event)) });
    return client;
  };
  const client = await connectLasting({ open, client: 'cli-1', onState: (state) => states.push(state) });
  const heard: WireEvent[] = [];
  const over = (async () => {
    for await (const event of client.events) heard.push(event);
  })();
  const connection = async (number: number): Promise<Connection> => {
    await expect.poll(() => connections.length, { timeout: 10_000 }).toBe(number);
    return connections[number - 1] as Connection;
  };
  const hears = (count: number) => expect.poll(() => heard.length).toBe(count);
  return { client, states, heard, hears, over, connection };
}

const configured = (id: string, seq?: number): WireEvent => ({
  ...{ id, msg: { type: 'session_configured', session_id: 's1' } },
  ...(seq !== undefined && { seq }),
});
const configure = { id: 'c', op: { type: 'configure_session', cwd: '/srv' } };
const named = { id: 'c', op: { ...configure.op, client: 'cli-1' } };
const input = (id: string) => ({ id, op: { type: 'user_input', items: [{ type: 'text', text: id }] } });
const started = (id: string, seq: number): WireEvent => ({ id, seq, msg: { type: 'task_started' } });

test('it attaches behind the last event under its name, and sends again what nobody has answered, in order', async () => {
  const { client, states, heard, hears, connection } = await staged();
  const first = await connection(1);
  await client.submit(configure);
  first.tell(configured('c', 1));
  await hears(1);
  await client.submit(input('u1'));
  first.tell(started('u1', 2));
  await hears(2);
  await client.submit({ id: 'i', op: { type: 'interrupt' } });
  await client.submit(input('u2'));
  expect(first.sent).toEqual([named, input('u1'), { id: 'i', op: { type: 'interrupt' } }, input('u2')]);
  first.lose();
  const second = await connection(2);
  await client.submit(input('u3'));
  const attach = { id: 'cli-1-attach-1', op: { type: 'attach', session_id: 's1', after: 2, client: 'cli-1' } };
  expect(second.sent).toEqual([attach, { id: 'i', op: { type: 'interrupt' } }, input('u2'), input('u3')]);
  const repeated: WireEvent = { id: 'i', msg: { type: 'warning', message: 'taken before', code: 'REPEATED' } };
  const again = { ...repeated, id: 'u2' };
  second.tell(configured('cli-1-attach-1'), started('u1', 2), repeated, started('u2', 3), again, started('u3', 4));
  await hears(4);
  expect(states).toEqual(['lost', 'back']);
  expect(heard.slice(2)).toEqual([started('u2', 3), started('u3', 4)]);
  client.close();
});

test('a repeat of what the client itself sent twice is told', async () => {
  const { client, heard, hears, connection } = await staged();
  const repeated: WireEvent = { id: 'u1', msg: { type: 'warning', message: 'taken before', code: 'REPEATED' } };
  (await connection(1)).tell(configured('c', 1), repeated);
  await hears(2);
  expect(heard.at(-1)).toEqual(repeated);
  client.close();
});

test('a session is read again from where its client wants it', async () => {
  const { client, heard, hears, connection } = await staged();
  const { tell } = await connection(1);
  tell(configured('c', 1), started('u1', 2));
  await client.submit({ id: 'a', op: { type: 'attach', session_id: 's1', after: 1 } });
  tell(configured('a'), started('u1', 2));
  await hears(4);
  expect(heard.at(-1)).toEqual(started('u1', 2));
  client.close();
});

test('before there is a session, it is asked for again', async () => {
  const { client, connection } = await staged();
  await client.submit(configure);
  (await connection(1)).lose();
  expect((await connection(2)).sent).toEqual([named]);
  client.close();
});

test('what is to be done in a new session waits for it: an answer that is lost costs an empty session, and no more', async () => {
  const { client, connection } = await staged();
  const [first] = [await connection(1), client.submit(configure)];
  const sent = [input('u1'), input('u2')].map((one) => client.submit(one));
  expect(first.sent).toEqual([named]);
  first.lose();
  const second = await connection(2);
  expect(second.sent).toEqual([named]);
  second.tell(configured('c', 1));
  await Promise.all(sent);
  expect(second.sent).toEqual([named, input('u1'), input('u2')]);
  client.close();
});

test('a session that is refused holds up nothing, and what waits is sent before the end', async () => {
  const { client, connection } = await staged();
  const { sent, tell } = await connection(1);
  void client.submit(configure);
  void client.submit(input('u1'));
  void client.submit(configure);
  client.end();
  tell({ id: 'c', msg: { type: 'error', message: 'no', code: 'PATH_REFUSED' } });
  await expect.poll(() => sent).toEqual([named, input('u1'), named]);
  client.close();
});

test.each([
  ['a token that counts no more', 'UNAUTHENTICATED', ''],
  ['a session that it may not see again', 'SESSION_NOT_FOUND', 'cli-1-attach-1'],
])('%s ends it, and says so', async (_, code, id) => {
  const { client, hears, connection, over } = await staged();
  const first = await connection(1);
  first.tell(configured('c', 1));
  await hears(1);
  const refusal: WireEvent = { id, msg: { type: 'error', message: 'no', code } };
  if (id === '') first.tell(refusal);
  else {
    first.lose();
    (await connection(2)).tell(refusal);
  }
  await expect(over).rejects.toMatchObject({ code });
  client.close();
});

test('after a shutdown nothing is tried again', async () => {
  const { states, connection, over } = await staged();
  const first = await connection(1);
  first.tell(configured('c', 1), { id: 'q', seq: 2, msg: { type: 'shutdown_complete' } });
  first.lose();
  await over;
  expect(states).toEqual([]);
});
