import { expect, test } from 'vitest';
import { AcpUpdates } from './acp-updates.js';

const says = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const read = (updates: AcpUpdates, ...all: object[]) => all.flatMap((one) => updates.read({ ...one }));

test('a message ends with the next one, with a thought and with a tool call; the last is the answer', () => {
  const updates = new AcpUpdates();
  read(updates, says('a', '1'), says('b', '1'), says('c', '2'));
  expect(updates.answer).toBe('c');
  read(updates, { sessionUpdate: 'tool_call', toolCallId: 't', status: 'pending' }, says('d', '2'));
  expect(updates.answer).toBe('d');
  expect(updates.end()).toEqual(['says: d']);
  expect(updates.answer).toBe('d');
  updates.forgetAnswer();
  expect(updates.answer).toBeUndefined();
});

test('a tool call is told when it begins and when it ends, whatever it tells between', () => {
  const updates = new AcpUpdates();
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 't' };
  const lines = read(
    updates,
    { ...call, sessionUpdate: 'tool_call', kind: 'edit', status: 'pending', locations: [{ path: '/w/a.js' }] },
    { ...call, status: 'in_progress' },
    { ...call, status: 'in_progress', title: null },
    { ...call, status: 'failed', content: [{ content: { text: 'no such file' } }, 7] },
    { ...call, toolCallId: 'u', kind: 'fetch', title: 'a page', status: 'completed' },
  );
  expect(lines).toEqual(['edits /w/a.js', '  failed: no such file', 'fetch a page', '  done']);
});

test('a plan is told by how far it is; what is not known, or is something else, is passed over', () => {
  const updates = new AcpUpdates();
  const plan = { sessionUpdate: 'plan', entries: [{ status: 'completed' }, { status: 'pending' }, null] };
  expect(read(updates, plan, {}, { sessionUpdate: 'new' }, says(7 as never))).toEqual(['plan: 1 of 3 done']);
});
