import { expect, test } from 'vitest';
import { answerObject } from './answer-object.js';
import { reportedConfidence } from './bridge-answer.js';

test.each<[string, object | undefined]>([
  ['{"a":1}', { a: 1 }],
  [' {"a":1}\n', { a: 1 }],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['Here it is:\n```json\n{"a":"```"}\n```\nDone.', { a: '```' }],
  ['```\n{"a":1}```', { a: 1 }],
  ['[1]', undefined],
  ['Sure! {"a":1}', undefined],
  ['{"a":1}{"b":2}', undefined],
  ['```json\n```', undefined],
  ['', undefined],
])('the object in %j is %j', (text, object) => {
  expect(answerObject(text)).toEqual(object);
});

test('how sure an answer is counts inside a fence as well: nobody slips past the gate by one', () => {
  expect(reportedConfidence({ response: '```json\n{"overall_confidence": 0.1}\n```' })).toBe(0.1);
});
