import { expect, test } from 'vitest';
import { wrapLine } from './wrap-line.js';

const LINE = { text: '  one two three four five six seven', tone: 'plain' } as const;

test('a line that is too long is broken at spaces, and goes on below its first word', () => {
  expect(wrapLine(LINE, 24)).toEqual(['  one two three four', '  five six seven']);
});

test('what has a label goes on below its words', () => {
  const text = '  asked   one two three four five six seven';
  expect(wrapLine({ text, tone: 'plain', hang: 10 }, 34)).toEqual([
    '  asked   one two three four five',
    '          six seven',
  ]);
});

test('where there is no room for that it goes on from the left', () => {
  expect(wrapLine({ ...LINE, hang: 10 }, 20)).toEqual(['one two three four', 'five six seven']);
});

test('what fits, and what is to be read as it is, stays as it is', () => {
  expect(wrapLine(LINE, 40)).toEqual([LINE.text]);
  expect(wrapLine({ ...LINE, isExact: true }, 10)).toEqual([LINE.text]);
});
