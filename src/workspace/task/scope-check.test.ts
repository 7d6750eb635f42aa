import { expect, test } from 'vitest';
import { outOfScope } from './scope-check.js';

const asGit = (path: string): string => Buffer.from(path).toString('latin1');
const scopes = (lock: string[], forbidden_scope: string[] = []) => {
  return { lock_scope: lock as [string, ...string[]], forbidden_scope };
};

test.each([
  ['src/a.ts', ['src/']],
  ['src', ['src']],
  ['any/thing', ['.']],
  ['caf\u00e9/x', ['cafe\u0301']],
  ['cafe\u0301/x', ['caf\u00e9']],
  ['src/line\nbreak', ['src']],
  ['src/[id].ts', ['src/[id].ts']],
])('%j is inside %j', (path, lock) => {
  expect(outOfScope([asGit(path)], scopes(lock))).toBeUndefined();
});

test.each([
  ['src2/a.ts', ['src']],
  ['Src/a.ts', ['src']],
  ['src\\a.ts', ['src']],
  [' src/a.ts', ['src']],
  ['src /a.ts', ['src']],
  ['a.ts', ['src', 'b.ts']],
])('%j is outside %j', (path, lock) => {
  expect(outOfScope([asGit(path)], scopes(lock))).toEqual({ path, because: 'is outside lock_scope' });
});

test('what is forbidden counts in any case of letters, and when its folder is replaced', () => {
  for (const path of ['secret/key', 'Secret/Key', 'secret']) {
    expect(outOfScope([asGit(path)], scopes(['.'], ['secret/key']))?.because).toBe(
      'is inside forbidden_scope secret/key',
    );
  }
});

test('names that are not UTF-8 are judged by the folder they lie in', () => {
  expect(outOfScope(['src/\xff'], scopes(['src']))).toBeUndefined();
  expect(outOfScope(['\xff'], scopes(['.']))).toBeUndefined();
  expect(outOfScope(['\xff/src'], scopes(['src']))).toBeDefined();
  expect(outOfScope(['\xff'], scopes(['\ufffd']))).toBeDefined();
  expect(outOfScope(['src/\xff'], scopes(['.'], ['src']))).toBeDefined();
  expect(outOfScope(['src/\xff'], scopes(['.'], ['src/deep']))).toBeUndefined();
});
