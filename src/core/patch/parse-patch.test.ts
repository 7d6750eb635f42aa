import { expect, test } from 'vitest';
import { parsePatch } from './parse-patch.js';

const parse = (...lines: string[]) => parsePatch(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));

test('every kind of part is read, with its line in the patch', () => {
  const parsed = parse(
    '*** Add File: a',
    '+x',
    '*** Delete File: b',
    '*** Update File: c',
    '*** Move to: d',
    '@@ class A',
    '@@ def f',
    ' kept',
    '-removed',
    '+added',
    '*** End of File',
  );
  const lines = [
    { type: 'kept', text: 'kept' },
    { type: 'removed', text: 'removed' },
    { type: 'added', text: 'added' },
  ];
  expect(parsed).toEqual({
    changes: [
      { type: 'add', path: 'a', line: 2, lines: ['x'] },
      { type: 'delete', path: 'b', line: 4 },
      {
        type: 'update',
        path: 'c',
        line: 5,
        movePath: 'd',
        chunks: [{ line: 7, headers: ['class A', 'def f'], lines, atEnd: true }],
      },
    ],
  });
});

test.each([
  ['@@', []],
  ['@@   ', []],
  ['@@ fn x()', ['fn x()']],
  ['@@ fn x() @@', ['fn x()']],
  ['@@ -1,2 +3,4 @@', []],
  ['@@ -1 +1 @@ fn x()', ['fn x()']],
])('the header %j', (header, headers) => {
  expect(parse('*** Update File: a', header, '-x')).toMatchObject({ changes: [{ chunks: [{ headers }] }] });
});

test('numbers of lines count what stands around the patch', () => {
  const text = '\n```\n*** Begin Patch\n*** What: a\n*** End Patch\n```';
  expect(parsePatch(text)).toEqual({
    fault: 'line 4 of the patch: "*** What: a" is unknown: known are Add File, Delete File and Update File',
  });
});

test('long lines are cut in a fault', () => {
  const parsed = parse('x'.repeat(10_000));
  expect('fault' in parsed && parsed.fault.length).toBeLessThan(250);
});
