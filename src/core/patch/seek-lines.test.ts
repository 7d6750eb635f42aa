import { expect, test } from 'vitest';
import { createSeeker } from './seek-lines.js';

const seek = (lines: string[], pattern: string[], from = 0, atEnd = false) =>
  createSeeker(lines, { comparisons: 0 }).seek({ pattern, from, atEnd });

test.each([
  ['as they are', ['a', 'b', 'c'], ['b', 'c'], 1],
  ['without blanks at their ends', ['a', 'b \t'], ['b  '], 1],
  ['without blanks around them', ['\t\tb', 'c'], ['  b'], 0],
  ['with plain signs for typographic ones', ['“a” – ‘b’\u00A0…'], ['"a" - \'b\' …'], 0],
  ['not in another case', ['A'], ['a'], undefined],
  ['not where only some of them are', ['a', 'b', 'a'], ['a', 'c'], undefined],
  ['not when they are more than the text has', ['a'], ['a', 'a'], undefined],
])('lines are found %s', (_, lines, pattern, at) => {
  expect(seek(lines, pattern)).toBe(at);
});

test('an exact place is better than a near one before it', () => {
  expect(seek([' a', 'a'], ['a'])).toBe(1);
});

test('nothing before the start is found', () => {
  expect(seek(['a', 'b', 'a'], ['a'], 1)).toBe(2);
  expect(seek(['a', 'b'], ['a'], 1)).toBe(undefined);
});

test('at the end means the last lines, and none before the start', () => {
  expect(seek(['a', 'a'], ['a'], 0, true)).toBe(1);
  expect(seek(['a', 'b'], ['a'], 0, true)).toBe(undefined);
  expect(seek(['a', 'a'], ['a', 'a'], 1, true)).toBe(undefined);
});

test('it stops when the search would never end, and so does every other of the same patch', () => {
  const effort = { comparisons: 0 };
  const seeker = createSeeker(
    Array.from({ length: 20_000 }, () => 'x'),
    effort,
  );
  const pattern = [...Array.from({ length: 10_000 }, () => 'x'), 'y'];
  expect(seeker.seek({ pattern, from: 0, atEnd: false })).toBe(undefined);
  expect(seeker.isExhausted).toBe(true);
  expect(createSeeker(['a'], effort).seek({ pattern: ['a'], from: 0, atEnd: false })).toBe(undefined);
});
