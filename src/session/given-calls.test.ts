import { expect, test } from 'vitest';
import { givenCalls } from './given-calls.js';

const call = (callId: string) => ({ id: 'call-1', callId, tool: 'exec_command', custom: false });
const item = (call_id: string, words: string) => ({ type: 'function_call', call_id, arguments: words });

test('calls of the same name are told apart by their order', () => {
  const output = JSON.stringify([{ type: 'message' }, item('same', 'first'), item('same', 'second')]);
  expect(givenCalls(output, [call('same'), call('same')]).map((one) => one?.given)).toEqual(['first', 'second']);
});

test('a call that is not in the response is given nothing, least of all what another was given', () => {
  const output = JSON.stringify([item('other', 'rm'), item('named', 'ls')]);
  expect(givenCalls(output, [call('gone'), call('named')]).map((one) => one?.given)).toEqual([undefined, 'ls']);
});
