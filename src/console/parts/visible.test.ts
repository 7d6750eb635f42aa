import { expect, test } from 'vitest';
import { shownText } from './visible.js';

test('what hides or turns text is written as its number; the rest stays as it is', () => {
  expect(shownText('a\u202eb\u0000c\u200bd\u{e0041}e\u0085f\u2028g')).toBe(
    'a⟨U+202E⟩b⟨U+0000⟩c⟨U+200B⟩d⟨U+E0041⟩e⟨U+0085⟩f⟨U+2028⟩g',
  );
  expect(shownText('\u001b]52;c;x\u0007')).toBe('⟨U+001B⟩]52;c;x⟨U+0007⟩');
  expect(shownText('tab\tline\nعربي 日本 é 🙂 <b>&amp;')).toBe('tab\tline\nعربي 日本 é 🙂 <b>&amp;');
});
