import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePointLength } from './code-point-length.js';

test('a text is as long as it has characters, also beyond the BMP and with halves of characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud83d', '\ude00', '😀'), (text, odd) => {
      expect(codePointLength(text + odd + text)).toBe([...(text + odd + text)].length);
    }),
  );
});

test('every pair counts once', () => {
  expect(codePointLength('😀'.repeat(500))).toBe(500);
});
