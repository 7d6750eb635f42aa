import { expect, test } from 'vitest';
import { readScript } from './read-script.js';
import { requestFacts } from './request-facts.js';

const script = (text: string) => readScript(new TextEncoder().encode(text));
const one = (entry: object) => script(JSON.stringify({ answers: [entry] }));
const USUAL = { when: {}, answer: null, fail: null, delayMs: 0, retryAfterMs: null, times: Number.POSITIVE_INFINITY };

test.each<[object, object]>([
  [{ answer: 'text' }, { answer: 'text' }],
  [{ answer: { action: 'STUCK' } }, { answer: '{"action":"STUCK"}' }],
  [
    { answer: 'a', when: { role: 'Worker', phase: 4 }, times: 2 },
    { answer: 'a', when: { role: 'Worker', phase: '4' }, times: 2 },
  ],
  [
    { fail: 'limit', retry_after_s: 90.5, delay_ms: 5 },
    { fail: 'limit', retryAfterMs: 90_500, delayMs: 5 },
  ],
  [
    { answer: 'a', fail: 'exit', note: 'for people' },
    { answer: 'a', fail: 'exit' },
  ],
])('an entry %j is read', (entry, expected) => {
  expect(one(entry)).toEqual({ entries: [{ ...USUAL, ...expected }] });
});

test.each<[string, string]>([
  ['', 'the input is empty'],
  ['[]', '/answers is not an array'],
  ['{"answers":{}}', '/answers is not an array'],
  ['{"answers":[1]}', '/answers/0 is not an object'],
  ['{"answers":[{}]}', '/answers/0 has neither answer nor fail'],
  ['{"answers":[{"answer":"a"},{"answer":[]}]}', '/answers/1/answer is neither an object nor a text'],
  ['{"answers":[{"fail":"boom"}]}', '/answers/0/fail is none of network, timeout, exit'],
  ['{"answers":[{"answer":"a","when":{"who":"x"}}]}', '/answers/0/when/who is none of role, phase'],
  ['{"answers":[{"answer":"a","when":{"role":["x"]}}]}', '/answers/0/when/role is not a text'],
  ['{"answers":[{"answer":"a","when":"x"}]}', '/answers/0/when is not an object'],
  ['{"answers":[{"answer":"a","times":0}]}', '/answers/0/times is not a whole number from 1 up'],
  ['{"answers":[{"answer":"a","delay_ms":-1}]}', '/answers/0/delay_ms is not a number from 0 to'],
  ['{"answers":[{"answer":"a","retry_after_s":"1"}]}', '/answers/0/retry_after_s is not a number from 0 to'],
  ['{"answers":[],"answers":[]}', 'the key "answers" stands twice'],
])('a script %j is refused', (text, problem) => {
  expect(script(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test.each<[unknown, object]>([
  [
    { job_id: 'j', phase: 'implementation', metadata: { x_role: 'Worker' } },
    { phase: 'implementation', role: 'Worker' },
  ],
  [
    { phase: 1, agent_name: 'architectural-reviewer' },
    { phase: '1', agent_name: 'architectural-reviewer' },
  ],
  [{ stage: 'intent', envelope: { stage: 'x' } }, { stage: 'intent' }],
  [{ packet_type: 'assignment', task: { task_id: 'T-1' } }, { task_id: 'T-1' }],
  [{ ask: 'judge', context: {} }, { ask: 'judge' }],
  [{ role: { a: 1 }, metadata: null }, {}],
  [null, {}],
  [[1], {}],
])('facts of the request %j are found', (request, facts) => {
  expect(requestFacts(new TextEncoder().encode(JSON.stringify(request)))).toEqual(facts);
});

test('a request that is no JSON has no facts', () => {
  expect(requestFacts(new TextEncoder().encode('Do it.'))).toEqual({});
});
