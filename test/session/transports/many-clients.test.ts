import { connect as connectHttp2 } from 'node:http2';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { SessionClient } from '../../../src/engine/session/session-client.js';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';
import { listen } from '../../../src/transports/listen.js';
import { FakeDesk } from '../fake-desk.js';
import { ANNA, hostOptions, TOKEN, WAYS_IN } from './ways-in.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that something still needs. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const MIB = 1024 * 1024;
const CONNECTIONS = 1000;

async function newSession(desk: FakeDesk): Promise<string> {
  const configure = { id: 'c', op: { type: 'configure_session', cwd: '/x' } } as const;
  return (await desk.configure(configure, ANNA, null)).session;
}

async function until(events: AsyncIterator<WireEvent>, isIt: (event: WireEvent) => boolean): Promise<WireEvent> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new Error('the connection ended');
    if (isIt(value)) return value;
  }
}

const eventsOf = (client: SessionClient) => client.events[Symbol.asyncIterator]();

describe.each(WAYS_IN)('$name', ({ name, needsToken, start }) => {
  const token = needsToken ? TOKEN : undefined;

  // The client of gRPC's own package reads ahead without end: see below for what the server does.
  test.runIf(name !== 'grpc')('a client that does not read costs little, and holds up nobody', async () => {
    const desk = new FakeDesk();
    const way = await start(hostOptions(desk));
    const session = await newSession(desk);
    const [asleep, awake] = [await way.open(token), await way.open(token)];
    for (const client of [asleep, awake]) {
      await client.submit({ id: 'a', op: { type: 'attach', session_id: session } });
    }
    const [slow, quick] = [eventsOf(asleep), eventsOf(awake)];
    await until(quick, ({ seq }) => seq !== undefined);
    const message = 'x'.repeat(100_000);
    const before = held();
    let most = 0;
    for (let count = 0; count < 1000; count += 1) {
      desk.text.tell({ run: session, id: 'u', item: `m${count}`, type: 'message', text: message });
      desk.append(session, { id: 'u', msg: { type: 'agent_message', message, item_id: `m${count}` } });
      desk.text.close(session);
      if (count % 50 === 49) {
        await until(quick, ({ msg }) => msg.type === 'agent_message' && msg.item_id === `m${count}`);
        if (count % 250 === 249) most = Math.max(most, held() - before);
      }
    }
    // 200 MB were said to the one that sleeps.
    expect(most).toBeLessThan(50 * MIB);
    const last = await until(slow, ({ msg }) => msg.item_id === 'm999' && msg.type === 'agent_message');
    expect(last.msg.message).toBe(message);
    asleep.close();
    awake.close();
    await way.close();
    await expect.poll(() => desk.watchers).toBe(0);
  });

  test.runIf(name === 'tcp' || name === 'unix' || name === 'websocket')(
    `${CONNECTIONS} connections at once, all told the same; one more is refused`,
    async () => {
      const desk = new FakeDesk();
      const way = await start(hostOptions(desk));
      const session = await newSession(desk);
      const clients: SessionClient[] = [];
      for (let count = 0; count < CONNECTIONS; count += 1) clients.push(await way.open(token));
      await Promise.all(
        clients.map((client) => client.submit({ id: 'a', op: { type: 'attach', session_id: session } })),
      );
      await clients[0]?.submit({ id: 'u', op: { type: 'user_input', items: [{ type: 'text', text: 'all' }] } });
      const ends = clients.map(async (client) => {
        const { msg } = await until(eventsOf(client), ({ msg: { type } }) => type === 'task_complete');
        return msg.last_agent_message;
      });
      expect(new Set(await Promise.all(ends))).toEqual(new Set(['all']));
      const tooMany = await way.open();
      const { msg } = await until(eventsOf(tooMany), () => true);
      expect(msg).toMatchObject({ type: 'error', code: 'RATE_LIMITED', details: { connections_max: CONNECTIONS } });
      for (const client of [...clients, tooMany]) client.close();
      await expect.poll(() => desk.watchers).toBe(0);
      await way.close();
    },
  );
});

test('a client of gRPC that does not read is not sent more than it has room for', async () => {
  const desk = new FakeDesk();
  const listening = await listen('grpc://127.0.0.1:0', hostOptions(desk));
  const session = await newSession(desk);
  const connection = connectHttp2(listening.address.replace('grpc', 'http'));
  const asleep = connection.request({
    ...{ ':method': 'POST', ':path': '/baton.v1.Session/Connect', 'content-type': 'application/grpc', te: 'trailers' },
    authorization: `Bearer ${TOKEN}`,
  });
  asleep.pause();
  asleep.write(framed('a', { type: 'attach', session_id: session }));
  await expect.poll(() => desk.watchers).toBe(1);
  const before = held();
  const message = 'x'.repeat(100_000);
  for (let count = 0; count < 1000; count += 1) {
    desk.append(session, { id: 'u', msg: { type: 'agent_message', message, item_id: `m${count}` } });
    if (count % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(held() - before).toBeLessThan(50 * MIB);
  let bytes = 0;
  asleep.resume().on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await expect.poll(() => bytes, { timeout: 30_000 }).toBeGreaterThan(1000 * message.length);
  connection.destroy();
  await listening.close();
});

/** A Submission as gRPC sends it: five bytes before the message, and two fields of text. */
function framed(id: string, op: object): Buffer {
  const field = (number: number, text: string): Buffer => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  };
  const message = Buffer.concat([field(1, id), field(2, JSON.stringify(op))]);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
}
