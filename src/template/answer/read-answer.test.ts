import { describe, expect, test } from 'vitest';
import { answerObject, lineField, linesField, shareField, textField } from './read-answer.js';

const OBJECT = { a: 'with ``` inside' };
const JSON_TEXT = JSON.stringify(OBJECT);

describe('an answer is read', () => {
  test.each([
    ['alone', JSON_TEXT],
    ['with space around', `\n  ${JSON_TEXT}\n\n`],
    ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a fence without a name', `\`\`\`\n${JSON_TEXT}\n\`\`\`\n`],
    ['in a fence with words around', `Here it is:\n\`\`\`json\r\n${JSON_TEXT}\r\n\`\`\`\nThat is all.`],
  ])('%s', (_, text) => {
    expect(answerObject(text)).toEqual(OBJECT);
  });
});

test.each([
  ['nothing', ''],
  ['words', 'I am sorry.'],
  ['half an object', '{"a": 1'],
  ['words around an object', `Sure: ${JSON_TEXT}`],
  ['two fences', '```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```'],
  ['an open fence', '```json\n{"a":1}'],
  ['a key twice', '{"a":1,"a":2}'],
  ['a key that reaches prototypes', '{"__proto__":{"a":1}}'],
  ['a very deep object', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`],
  ['a very long one', JSON.stringify({ a: 'x'.repeat(3_000_000) })],
])('%s is a parse error', (_, text) => {
  expect(() => answerObject(text)).toThrow(expect.objectContaining({ code: 'PARSE_ERROR' }));
});

test.each(['[]', '"text"', 'null', '42'])('JSON that is no object is a validation error: %s', (text) => {
  expect(() => answerObject(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

describe('a field', () => {
  test('that is absent or null was not said', () => {
    expect(lineField({ a: null }, 'a', 10)).toBeUndefined();
    expect(lineField({}, 'toString', 10)).toBeUndefined();
  });

  test('of one line loses what moves a cursor, hides or reorders', () => {
    expect(lineField({ a: ' Re\u001b[31mact\u202e\n 19\u200b ' }, 'a', 20)).toBe('Re[31mact 19');
  });

  test('of several lines keeps its lines and tabs', () => {
    expect(textField({ a: 'one\r\n\ttwo\u0007\u2066' }, 'a', 20)).toBe('one\n\ttwo');
  });

  test.each([
    ['a number for a text', () => lineField({ a: 1 }, 'a', 10)],
    ['a text that is too long', () => lineField({ a: 'x'.repeat(11) }, 'a', 10)],
    ['an empty text', () => lineField({ a: ' \n' }, 'a', 10)],
    ['a text for a list', () => linesField({ a: 'x' }, 'a', { itemsMax: 2, lengthMax: 5 })],
    ['a list that is too long', () => linesField({ a: ['a', 'b', 'c'] }, 'a', { itemsMax: 2, lengthMax: 5 })],
    ['a share above 1', () => shareField({ a: 1.01 }, 'a')],
    ['a share below 0', () => shareField({ a: -0.01 }, 'a')],
    ['a share as a text', () => shareField({ a: '0.9' }, 'a')],
  ])('is refused with its place: %s', (_, read) => {
    expect(read).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: { path: expect.stringMatching(/^\/a/) } }),
    );
  });
});
