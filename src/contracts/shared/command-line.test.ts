import { describe, expect, test } from 'vitest';
import { parseCommandLine } from './command-line.js';

describe('a command line', () => {
  test.each<[string, string[]]>([
    ['node agents/worker.mjs --quiet', ['node', 'agents/worker.mjs', '--quiet']],
    ['  a \t b  ', ['a', 'b']],
    ['a \'b c\' "d e" f\\ g', ['a', 'b c', 'd e', 'f g']],
    ['a \'\' ""', ['a', '', '']],
    ['a x\'y z\'"w"v', ['a', 'xy zwv']],
    ['a "b \\"c\\" \\\\ \\n"', ['a', 'b "c" \\ \\n']],
    ['a \'b \\ "c"\'', ['a', 'b \\ "c"']],
    ["a 'line\nbreak'", ['a', 'line\nbreak']],
    [
      'a; rm -rf $HOME && b | c > d `e` $(f) *',
      ['a;', 'rm', '-rf', '$HOME', '&&', 'b', '|', 'c', '>', 'd', '`e`', '$(f)', '*'],
    ],
    ['["a b", "", "it\'s", "\\n"]', ['a b', '', "it's", '\n']],
    ['a\u00a0b ü', ['a\u00a0b', 'ü']],
    ['a\n', ['a']],
  ])('%j is taken without a shell', (text, argv) => {
    expect(parseCommandLine(text)).toEqual(argv);
  });

  test.each([
    ['', 'names no program'],
    ['  ', 'names no program'],
    ["'' a", 'names no program'],
    ['[]', 'names no program'],
    ['[" "]', 'names no program'],
    ["a 'b", "has no end of the ' at character 3"],
    ['a "b \\"', 'has no end of the " at character 3'],
    ['a\\', 'has no end of the backslash at character 2'],
    ['a b\nc', 'has a line break outside of quotes'],
    ["'a\nb' c", 'has a line break in the name of its program'],
    ['["a\\r"]', 'has a line break in the name of its program'],
    ['a b\0', 'holds U+0000'],
    ['[ -f x ]', 'begins like a JSON array but is none: expected a JSON value but found "-" (line 1, column 3)'],
    ['["a", 1]', 'is not an array of texts'],
    ['["a"] b', 'begins like a JSON array but is none: "b" follows the JSON value (line 1, column 7)'],
    [`a ${'b'.repeat(70_000)}`, 'is longer than 65536 characters'],
  ])('%j is refused', (text, problem) => {
    expect(() => parseCommandLine(text)).toThrow(`the command ${problem}`);
  });
});
