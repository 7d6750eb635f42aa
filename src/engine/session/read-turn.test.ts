import { expect, test } from 'vitest';
import { nodeHasher } from '../../../test/simulation/node-hasher.js';
import type { TurnReading } from '../../core/session/session-messages.js';
import { createScrub } from '../scrub.js';
import { readTurn } from './read-turn.js';

type Response = Extract<TurnReading, { type: 'response' }>;
const SECRET = 'hunter2-hunter2-hunter2';
const FACTS = { turn: 3, attempt: 2 };

function read(answer: unknown) {
  const seal = { scrub: createScrub([SECRET]), hasher: nodeHasher };
  const { reading, bodies } = readTurn(seal, FACTS, typeof answer === 'string' ? answer : JSON.stringify(answer));
  const bodyOf = (ref: { sha256: string }) =>
    JSON.parse(new TextDecoder().decode(bodies.find(({ sha256 }) => sha256 === ref.sha256)?.bytes));
  const response = reading as Response;
  return { reading: response, bodyOf, output: reading.type === 'response' ? bodyOf(response.output) : undefined };
}

const message = (text: unknown) => ({ type: 'message', content: [{ type: 'output_text', text }] });

test('calls are read whatever the model sent in them, and kept so that they can be found again', () => {
  const output = [
    { type: 'function_call', call_id: 'c1', name: 'x', arguments: '{"a":1}' },
    { type: 'function_call', name: 'x', arguments: { a: 1 } },
    { type: 'custom_tool_call', call_id: 5, name: null, input: ['x'] },
    { type: 'function_call', call_id: 'é'.repeat(1_000), name: 'n'.repeat(1_000) },
  ];
  const { reading, output: kept } = read({ response_id: 'r', output });
  expect(reading.said).toEqual([
    { type: 'call', callId: 'c1', tool: 'x', custom: false },
    { type: 'call', callId: 'none-1', tool: 'x', custom: false },
    { type: 'call', callId: 'none-2', tool: 'unnamed', custom: true },
    { type: 'call', callId: 'none-3', tool: 'n'.repeat(64), custom: false },
  ]);
  expect(kept).toMatchObject([
    { call_id: 'c1', arguments: '{"a":1}' },
    { call_id: 'none-1', arguments: '{"a":1}' },
    { call_id: 'none-2', input: '["x"]' },
    { call_id: 'none-3', arguments: '' },
  ]);
});

test('words are named by their place, items without words and of unknown kinds are only kept', () => {
  const output = [
    { type: 'web_search_call' },
    { type: 'reasoning', summary: [{ text: 'One.' }, { text: 'Two.' }], content: [{ text: 'hidden' }] },
    { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Raw.' }] },
    { type: 'reasoning', encrypted_content: 'x' },
    { type: 'message', content: [{ type: 'output_text', text: 'A' }, { type: 'refusal', refusal: 'B' }, 5, null] },
    message(7),
    message(`say ${SECRET}`),
  ];
  const { reading, bodyOf, output: kept } = read({ response_id: 'r', output });
  const said = reading.said.map((one) => (one.type === 'call' ? one : [one.type, one.itemId, bodyOf(one.said)]));
  expect(said).toEqual([
    ['reasoning', '3.2.1', { text: 'One.\n\nTwo.' }],
    ['reasoning', '3.2.2', { text: 'Raw.' }],
    ['message', '3.2.4', { message: 'AB' }],
    ['message', '3.2.6', { message: 'say [secret]' }],
  ]);
  expect(kept).toHaveLength(output.length);
  expect(JSON.stringify(kept)).not.toContain(SECRET);
});

test('of very many words the first and the last are shown', () => {
  const output = Array.from({ length: 500 }, (_, index) => message(`m${index}`));
  const { reading, bodyOf } = read({ response_id: 'r', output });
  expect(reading.said).toHaveLength(50);
  const last = reading.said.at(-1);
  expect(last?.type === 'message' && bodyOf(last.said)).toEqual({ message: 'm499' });
});

test.each([undefined, null, 5, '', 'x'.repeat(300), 'with space', 'local-1.1'])(
  'the name %j of a response is none',
  (id) => {
    expect(read({ response_id: id, output: [] }).reading.responseId).toBe('local-3.2');
  },
);

test.each(['', 'no JSON', '[]', 'null', '{"output":{}}', '{"output":[null,[],5]}', '{"usage":"x","output":"y"}'])(
  'an answer that is none, %s, is a response without words',
  (text) => {
    expect(read(text).reading).toMatchObject({ type: 'response', said: [], callsLeftOut: 0, isCut: false });
  },
);

test('figures that cannot be true count as nothing', () => {
  const usage = { input_tokens: -5, output_tokens: 1.5, input_tokens_details: { cached_tokens: '7' } };
  expect(read({ usage }).reading.figures).toEqual({ input: 0, cachedInput: 0, output: 0, reasoning: 0 });
});

test('a thread that does not fit any more is told as such', () => {
  expect(read({ context_full: true }).reading).toEqual({ type: 'context-full' });
  expect(read({ refused: 'no pictures' }).reading).toEqual({ type: 'refused', reason: 'no pictures' });
});
