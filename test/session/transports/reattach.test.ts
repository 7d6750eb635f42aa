import { describe, expect, test } from 'vitest';
import { FakeDesk } from '../fake-desk.js';
import { hostOptions, TOKEN, WAYS_IN } from './ways-in.js';

const ROUNDS: Readonly<Record<string, number>> = { tcp: 200, unix: 60, websocket: 60, http2: 60, grpc: 60 };

describe.each(WAYS_IN.filter(({ name }) => ROUNDS[name]))('$name', ({ name, needsToken, start }) => {
  const rounds = ROUNDS[name] ?? 0;

  test(`[R492] broken off at any point ${rounds} times and attached again behind the last event: none lost, none twice`, async () => {
    const desk = new FakeDesk();
    const way = await start(hostOptions(desk));
    const { session } = await desk.configure(
      { id: 'c', op: { type: 'configure_session', cwd: '/x' } },
      { actor: 'anna', role: 'admin', agent: null, client: 'x', isLocal: true },
      null,
    );
    const seen: number[] = [];
    const say = (round: number, count: number) => {
      for (let place = 0; place < count; place += 1) {
        const message = 'x'.repeat((round * 37 + place * 101) % 3000);
        desk.append(session, { id: 'u', msg: { type: 'agent_message', message, item_id: `${round}-${place}` } });
      }
    };
    const attach = async () => {
      const client = await way.open(needsToken ? TOKEN : undefined);
      await client.submit({ id: 'a', op: { type: 'attach', session_id: session, after: seen.at(-1) ?? 0 } });
      return client;
    };
    for (let round = 0; round < rounds; round += 1) {
      say(round, 5);
      const client = await attach();
      let left = round % 13;
      for await (const { seq } of client.events) {
        if (seq !== undefined) seen.push(seq);
        if (left === 3) say(round, 2);
        left -= 1;
        if (left < 0) break;
      }
      client.close();
    }
    const stored = (await desk.events(session, 0, 1_000_000)).events.map(({ seq }) => seq);
    const client = await attach();
    for await (const { seq } of client.events) {
      if (seq !== undefined) seen.push(seq);
      if (seen.length >= stored.length) break;
    }
    client.close();
    expect(seen).toEqual(stored);
    await way.close();
    await expect.poll(() => desk.watchers).toBe(0);
  });
});
