import { expect, test } from 'vitest';
import { FakeDesk } from '../../../test/session/fake-desk.js';
import { SessionConnection } from './session-connection.js';
import type { SessionCaller, WireEvent } from './session-desk.js';

const ANNA: SessionCaller = { actor: 'anna', role: 'admin', agent: null, client: '', isLocal: true };
const line = (id: string, op: object): string => JSON.stringify({ id, op });

/** A connection of somebody who is known. */
function connected(desk: FakeDesk) {
  const sent: WireEvent[] = [];
  const connection = new SessionConnection({
    ...{ desk, caller: ANNA, client: 'c1', authenticate: async () => null, close: () => {} },
    send: (event) => void sent.push(event),
  });
  return { connection, sent };
}

test('whoever takes a session up sees it from its own configuration on, and nothing before is read', async () => {
  const desk = new FakeDesk();
  const { session } = await desk.configure(
    { id: 'a', op: { type: 'configure_session', cwd: '/x' } },
    { ...ANNA, client: 'other' },
    null,
  );
  for (let count = 0; count < 500; count += 1) desk.append(session, { id: 'u', msg: { type: 'agent_message' } });
  const before = await desk.place(session);
  const read: number[] = [];
  const events = desk.events.bind(desk);
  desk.events = (run, after, limit) => {
    read.push(after);
    return events(run, after, limit);
  };
  const { connection, sent } = connected(desk);
  await connection.take(line('a', { type: 'configure_session', cwd: '/x', resume_from: session }));
  expect(sent).toMatchObject([{ id: 'a', seq: before + 2, msg: { type: 'session_configured' } }]);
  expect(Math.min(...read)).toBe(before + 1);
});
