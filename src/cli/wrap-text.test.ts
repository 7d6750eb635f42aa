import { expect, test } from 'vitest';
import { wrapText } from './wrap-text.js';

test('text is broken at spaces, gaps stay, and a long word has its own line', () => {
  expect(wrapText('a   b c', 5)).toEqual(['a   b', 'c']);
  expect(wrapText('short averyverylongword x', 8)).toEqual(['short', 'averyverylongword', 'x']);
  expect(wrapText('', 8)).toEqual([]);
});
