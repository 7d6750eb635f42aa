import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.js';

const NEEDS = { required: ['stack', 'size'] };

test.each([
  ['{"stack": [], "size": 1}', null],
  ['{"stack": null, "size": 0, "more": true}', null],
  ['Sure! {"stack": [], "size": 1}', 'PARSE_ERROR'],
  ['[{"stack": [], "size": 1}]', 'PARSE_ERROR'],
  ['', 'PARSE_ERROR'],
  ['{"stack": []}', 'VALIDATION_ERROR'],
  ['{"__proto__": {"stack": [], "size": 1}}', 'PARSE_ERROR'],
])('of a phase that needs two fields %j is %s [R193, R194]', (text, type) => {
  expect(readAnswer(NEEDS, text).error?.type ?? null).toBe(type);
});

test('what is missing is named', () => {
  expect(readAnswer(NEEDS, '{}').error?.message).toBe('the answer lacks stack, size');
});

test('without a profile any text is an answer, and only a share of one is a confidence', () => {
  const none = { required: null };
  expect(readAnswer(none, 'anything')).toEqual({ error: null, confidence: null, reported: null });
  expect(readAnswer(none, '{"confidence": 0.7}')).toMatchObject({ error: null, confidence: 0.7 });
  expect(readAnswer(none, '{"confidence": 70}')).toMatchObject({ error: null, confidence: null });
});

test('what it says it has used is read', () => {
  const said = { x_usage: { input_tokens: 10, output_tokens: 5, cost_usd: 0.01, model: 'm' } };
  expect(readAnswer({ required: null }, JSON.stringify(said)).reported).toMatchObject({
    ...{ inputTokens: 10, outputTokens: 5, costMicroUsd: 10_000, models: [{ model: 'm' }] },
  });
});
