import { applyPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.js';

const many = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

describe('a unified diff leads from the one text to the other', () => {
  test.each([
    ['in one line', 'a\nb\nc\n', 'a\nB\nc\n'],
    ['from nothing', '', 'a\n'],
    ['to nothing', 'a\n', ''],
    ['without a last line break', 'a\nb', 'a\nc'],
    ['with CRLF', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    ['with more changes than are compared', many(2_000, 'old'), many(3_000, 'new')],
    ['the same without last line breaks', `${many(2_000, 'old')}x`, `${many(3_000, 'new')}y`],
    ['the same with equal lines around', many(9, 'a') + many(2_000, 'o') + many(9, 'z'), many(9, 'a') + many(9, 'z')],
    ['the same from nothing', '', many(3_000, 'new')],
    ['the same with an equal open end', `${many(2_000, 'old')}x`, `${many(3_000, 'new')}x`],
  ])('%s', (_, before, after) => {
    const diff = unifiedDiff(before, after);
    expect(diff.startsWith('@@ ')).toBe(true);
    expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
  });

  test('and shows little of what is equal, however much changes', () => {
    const diff = unifiedDiff(many(900, 'a') + many(2_000, 'old'), many(900, 'a') + many(3_000, 'new'));
    expect(diff.split('\n').filter((line) => line.startsWith(' '))).toHaveLength(3);
  });

  test('and is empty between equal ones', () => {
    expect(unifiedDiff('a\n', 'a\n')).toBe('');
  });
});
