import { expect, test } from 'vitest';
import { LEAST_ROLE, ROLES, type Role, type Verb } from '../../../src/core/access/role.js';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';
import { connectInProcess } from '../../../src/transports/in-process.js';
import { FakeDesk } from '../fake-desk.js';
import { ANNA, hostOptions } from './ways-in.js';

const OPS: readonly [verb: Verb, op: Record<string, unknown>][] = [
  ['session.open', { type: 'configure_session', cwd: '/x' }],
  ['look', { type: 'attach', session_id: 'session-1' }],
  ['look', { type: 'get_history_entry_request', offset: 0 }],
  ['session.input', { type: 'user_input', items: [{ type: 'text', text: 'hi' }] }],
  ['session.input', { type: 'interrupt' }],
  ['session.input', { type: 'add_to_history', text: 'hi' }],
  ['session.input', { type: 'compact' }],
  ['session.approve', { type: 'exec_approval', id: 'call-1', decision: 'approved' }],
  ['session.approve', { type: 'patch_approval', id: 'call-1', decision: 'approved' }],
  ['session.input', { type: 'shutdown' }],
];

test('every role at every op: let in from the least role on, refused before it', async () => {
  const wrong: string[] = [];
  for (const [verb, op] of OPS) {
    for (const role of ROLES) {
      const isRefused = await refuses(role, op);
      if (isRefused !== ROLES.indexOf(role) < ROLES.indexOf(LEAST_ROLE[verb])) wrong.push(`${role} ${op.type}`);
    }
  }
  expect(wrong).toEqual([]);
});

async function refuses(role: Role, op: Record<string, unknown>): Promise<boolean> {
  const desk = new FakeDesk();
  await desk.configure({ id: 'c', op: { type: 'configure_session', cwd: '/x' } }, ANNA, null);
  const client = connectInProcess(hostOptions(desk, { local: { ...ANNA, role } }));
  const seen: WireEvent[] = [];
  const reading = (async () => {
    for await (const event of client.events) seen.push(event);
  })();
  await client.submit({ id: 'a', op: { type: 'attach', session_id: 'session-1' } });
  const before = desk.callers.length;
  await client.submit({ id: 'x', op });
  client.end();
  await reading;
  const refusal = seen.find(({ id, msg }) => id === 'x' && msg.code === 'FORBIDDEN');
  // Refused means that the desk was never asked.
  if (refusal) expect(desk.callers.length).toBe(before);
  return refusal !== undefined;
}

test('a client is known by the name it gives itself, but only among its own', async () => {
  const desk = new FakeDesk();
  for (const actor of ['anna', 'anna', 'eva']) {
    const client = connectInProcess(hostOptions(desk, { local: { ...ANNA, actor } }));
    await client.submit({ id: 'c', op: { type: 'configure_session', cwd: '/x', client: 'desk' } });
    client.close();
  }
  const unnamed = connectInProcess(hostOptions(desk));
  await unnamed.submit({ id: 'c', op: { type: 'configure_session', cwd: '/x' } });
  unnamed.close();
  const names = desk.callers.map(({ client }) => client);
  expect(names.slice(0, 3)).toEqual(['anna/desk', 'anna/desk', 'eva/desk']);
  expect(new Set(names).size).toBe(3);
});
