import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';
import type { SessionClient } from '../../../src/transports/session-client.js';
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
  return desk.configure({ id: 'c', op: { type: 'configure_session', cwd: '/x' } }, ANNA, null);
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

  // Open: over gRPC all that was said is held somewhere, by the server's side or by the client's in this process.
  const bounded = name === 'grpc' ? test.fails : test;

  bounded('a client that does not read costs little, and holds up nobody', async () => {
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
