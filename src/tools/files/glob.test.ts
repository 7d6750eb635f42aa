import { expect, test } from 'vitest';
import { globMatcher } from './glob.js';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['/*.ts', 'a.ts', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/deep/er/a.ts', true],
  ['src/**/*.ts', 'test/a.ts', false],
  ['src/**', 'src/deep/a.ts', true],
  ['**', 'src/a.ts', true],
  ['**/a.ts', 'a.ts', true],
  ['./src/?.ts', 'src/a.ts', true],
  ['src/?.ts', 'src/ab.ts', false],
  ['*.{ts,md}', 'a.md', true],
  ['{src,test}/*.{ts,js}', 'test/a.js', true],
  ['{src,test}/*.ts', 'docs/a.ts', false],
  ['a.ts', 'axts', false],
  ['[a].ts', 'a.ts', false],
  ['[a].ts', '[a].ts', true],
  ['?.ts', '😀.ts', true],
])('%s means %s: %s', (pattern, path, meant) => {
  expect(globMatcher(pattern)(path)).toBe(meant);
});

test('a pattern of many stars is decided all the same', () => {
  expect(globMatcher(`${'*a'.repeat(200)}b`)('a'.repeat(255))).toBe(false);
  expect(globMatcher(`${'**/a/'.repeat(100)}b`)(`${'a/'.repeat(500)}c`)).toBe(false);
  expect(globMatcher('{a,b}'.repeat(30))('x')).toBe(false);
});
