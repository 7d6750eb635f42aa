import { expect, test } from 'vitest';
import { PastedTexts, pastedText } from './pasted-texts.js';

const lines = (count: number, word = 'x'): string => Array.from({ length: count }, () => word).join('\n');

test('a short text stands in the line as it is', () => {
  const texts = new PastedTexts();
  for (const text of ['a', 'a\n\tb', lines(8)]) expect(texts.fold(text)).toBe(text);
});

test('a long one is folded, and comes back whole wherever its fold stands', () => {
  const texts = new PastedTexts();
  const fold = texts.fold(lines(1_234));
  expect(fold).toBe('[1,234 lines pasted]');
  expect(texts.unfold(`see ${fold}, and ${fold}!`)).toBe(`see ${lines(1_234)}, and ${lines(1_234)}!`);
  expect(texts.fold('y'.repeat(801))).toBe('[801 characters pasted]');
});

test('two texts of one length are kept apart, and the same one is kept once', () => {
  const texts = new PastedTexts();
  const folds = [texts.fold(lines(9, 'a')), texts.fold(lines(9, 'b')), texts.fold(lines(9, 'a'))];
  expect(folds).toEqual(['[9 lines pasted]', '[9 lines pasted, 2]', '[9 lines pasted]']);
  expect(texts.unfold(folds.join())).toBe([lines(9, 'a'), lines(9, 'b'), lines(9, 'a')].join());
});

test('a fold inside of a pasted text is text', () => {
  const texts = new PastedTexts();
  const inner = texts.fold(lines(9));
  const outer = texts.fold(`${inner}\n${lines(11)}`);
  expect(texts.unfold(outer)).toBe(`${inner}\n${lines(11)}`);
});

test('what would touch the terminal is folded however short, and sent as it is', () => {
  const texts = new PastedTexts();
  const fold = texts.fold('a\u001b[2Jb');
  expect(fold).toBe('[6 characters pasted]');
  expect(texts.unfold(fold)).toBe('a\u001b[2Jb');
});

test('of very many the oldest is forgotten', () => {
  const texts = new PastedTexts();
  const folds = Array.from({ length: 251 }, (_, index) => texts.fold(lines(9, String(index))));
  expect(texts.unfold(folds[0] ?? '')).toBe(folds[0]);
  expect(texts.unfold(folds[1] ?? '')).toBe(lines(9, '1'));
});

test('whatever a terminal ends lines with is a line end', () => {
  expect(pastedText('a\rb\r\nc\nd\r')).toBe('a\nb\nc\nd');
});
