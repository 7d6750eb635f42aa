import { expect, test } from 'vitest';
import { readPatch } from './read-patch.js';

const PATCH = `diff --git a/add.js b/add.js
index 1..2 100644
--- a/add.js
+++ b/add.js
@@ -3,2 +3,3 @@ head
 same
--- not a header
+one
+two
diff --git a/new file b/new file
new file mode 100644
--- /dev/null
+++ b/new file
@@ -0,0 +1 @@
+first
`;

test('a patch is read file by file, with the numbers of its lines', () => {
  expect(readPatch(PATCH, 100).map(({ name, added, removed }) => ({ name, added, removed }))).toEqual([
    { name: 'add.js', added: 2, removed: 1 },
    { name: 'new file', added: 1, removed: 0 },
  ]);
  const [file] = readPatch(PATCH, 100);
  expect(
    file?.lines.map((line) => ('before' in line ? [line.kind, line.before, line.after, line.text] : line.text)),
  ).toEqual([
    '@@ -3,2 +3,3 @@ head',
    ['same', 3, 3, 'same'],
    ['del', 4, null, '-- not a header'],
    ['add', null, 4, 'one'],
    ['add', null, 5, 'two'],
  ]);
});

test('what is more than is drawn is still counted', () => {
  const [file] = readPatch(PATCH, 1);
  expect(file).toMatchObject({ added: 2, removed: 1 });
  expect(file?.lines).toHaveLength(1);
});
