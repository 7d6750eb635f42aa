import { describe, expect, test } from 'vitest';
import { FakeDesk } from '../../../test/session/fake-desk.js';
import { SessionConnection } from './session-connection.js';
import type { SessionCaller, WireEvent } from './session-desk.js';

const ANNA: SessionCaller = { actor: 'anna', role: 'admin', agent: null, client: '', isLocal: true };
const line = (id: string, op: object): string => JSON.stringify({ id, op });

/** A connection of somebody who is known. */
function connected(desk: FakeDesk, send: (event: WireEvent) => void = () => {}) {
  const sent: WireEvent[] = [];
  const failures: unknown[] = [];
  let closed = 0;
  const connection = new SessionConnection({
    ...{ desk, caller: ANNA, client: 'c1', authenticate: async () => null },
    send: (event) => {
      send(event);
      sent.push(event);
      return undefined;
    },
    close: () => {
      closed += 1;
    },
    onFailure: (failure) => failures.push(failure),
  });
  return { connection, sent, failures, closed: () => closed };
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

describe('what fails inside', () => {
  const attach = line('a', { type: 'attach', session_id: 's' });
  const broken = new Error('the disk is gone');

  test('is told to the client and reported, and the connection stays', async () => {
    const desk = new FakeDesk();
    desk.describe = async () => Promise.reject(broken);
    const { connection, sent, failures, closed } = connected(desk);
    await connection.take(attach);
    expect(sent).toMatchObject([{ id: 'a', msg: { type: 'error', code: 'INTERNAL' } }]);
    expect({ failures, closed: closed() }).toEqual({ failures: [broken], closed: 0 });
  });

  test('and cannot even be told is reported, and ends the connection: no message rejects', async () => {
    const send = () => {
      throw broken;
    };
    const { connection, failures, closed } = connected(new FakeDesk(), send);
    await connection.take(attach);
    await connection.take(attach);
    expect({ failures, closed: closed() }).toEqual({ failures: [broken], closed: 1 });
  });

  test('while events are sent is reported, and ends the connection', async () => {
    const desk = new FakeDesk();
    const configure = { id: 'c', op: { type: 'configure_session', cwd: '/x' } } as const;
    const { session } = await desk.configure(configure, ANNA, null);
    let isBroken = false;
    const send = ({ seq }: WireEvent) => {
      isBroken ||= seq !== undefined;
      if (isBroken) throw broken;
    };
    const { connection, failures, closed } = connected(desk, send);
    await connection.take(line('a', { type: 'attach', session_id: session }));
    await connection.end();
    expect({ failures, closed: closed() }).toEqual({ failures: [broken, broken], closed: 1 });
  });
});
