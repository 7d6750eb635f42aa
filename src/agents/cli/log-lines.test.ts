import { expect, test } from 'vitest';
import { oneLine } from './fields.js';
import { commandLine, endLine, spokenLine } from './log-lines.js';

test.each([
  ['ls', '$ ls'],
  ["/bin/bash -lc 'cat add.js'", '$ cat add.js'],
  ['/bin/bash -lc ls', '$ ls'],
  ['bash -c "echo \'a\' \\"\\$b\\" && c"', '$ echo \'a\' "$b" && c'],
  ["/bin/zsh -lc 'first\nsecond\nthird'", '$ first (+2 lines)'],
  ["/bin/bash -lc 'a '\\''b'\"'c'\"", "$ a 'b'c'"],
  ["/bin/bash -lc 'a' b", "$ /bin/bash -lc 'a' b"],
  ['/bin/bash script.sh', '$ /bin/bash script.sh'],
])('the command %j is shown as %j', (command, line) => {
  expect(commandLine(command)).toBe(line);
});

test.each([
  ['two\nlines', 'two (+1 line)'],
  ['\n\n  \n', ''],
  ['10 %\r20 %\rdone\r\n', '10 % (+2 lines)'],
  ['a\u001b[31mred\u001b[0m \u001b]0;title\u0007b\tc\u0000', 'ared b c'],
  ['x y '.repeat(60), `${'x y '.repeat(50).trimEnd()}…`],
])('%j is %j on one line', (words, line) => {
  expect(oneLine(words)).toBe(line);
});

test('what may be a secret is not cut in two: its first half would not be known as one', () => {
  const before = 'key:'.padStart(190, 'a ');
  expect(oneLine(`${before}sk-ant-c4nary-123456`)).toBe(`${before}…`);
  expect(oneLine(`${before}sk-4567890`)).toBe(`${before}sk-4567890`);
});

test('what says nothing has no line, or none of its words', () => {
  expect([spokenLine('thinks', '\n'), spokenLine('says', undefined), endLine('done', ' ')]).toEqual([[], [], '  done']);
});
