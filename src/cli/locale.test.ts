import { expect, test } from 'vitest';
import { isUtf8 } from './locale.js';

test('the first variable that is set decides about UTF-8', () => {
  expect(isUtf8({ LANG: 'de_DE.UTF-8' })).toBe(true);
  expect(isUtf8({ LANG: 'C.utf8' })).toBe(true);
  expect(isUtf8({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe(false);
  expect(isUtf8({ LC_ALL: '', LC_CTYPE: 'en_US.UTF-8', LANG: 'C' })).toBe(true);
  expect(isUtf8({})).toBe(false);
});
