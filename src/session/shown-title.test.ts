import { expect, test } from 'vitest';
import { commandTitle, shownTitle } from './shown-title.js';

test('a command is shown as a person would type it', () => {
  expect(commandTitle(['git', 'commit', '-m', "it's done"])).toBe("git commit -m 'it'\\''s done'");
  expect(commandTitle(['bash', '-c', 'ls | wc -l'])).toBe('ls | wc -l');
});

test('what would change a terminal or the order of reading is seen', () => {
  expect(shownTitle('a\u001b[31m\u202eb\nc\u0000')).toBe('a\\u{1b}[31m\\u{202e}b\\nc\\u{0}');
});

test('it is never longer than it may be, and no character is cut in two', () => {
  const long = shownTitle('💥'.repeat(500));
  expect(long.length).toBeLessThanOrEqual(200);
  expect(long).toMatch(/^(?:💥)+…$/u);
  expect(shownTitle('\n'.repeat(150)).length).toBeLessThanOrEqual(200);
});
