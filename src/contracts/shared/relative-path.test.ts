import { describe, expect, test } from 'vitest';
import { pathProblem } from './relative-path.js';

describe('a path inside the workspace [R009, R099]', () => {
  test.each([
    'src/auth.py',
    'tests/',
    './notes.md',
    'a b/c d.txt',
    'docs/café.md',
    '..a/b',
    'app/[id]/page.tsx',
    '.github/workflows/ci.yml',
    'a.git/x',
    '100%/x',
  ])('may be %j', (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  test.each([
    [''],
    ['  '],
    ['/etc/passwd'],
    ['../secret'],
    ['a/../../secret'],
    ['a/..'],
    ['~/secret'],
    ['~root/secret'],
    ['C:/secret'],
    ['c:secret'],
    ['file:///etc/passwd'],
    ['https://example.com/x'],
    ['a\\b'],
    ['..\\secret'],
    ['%2e%2e/secret'],
    ['a%2fb'],
    ['a%5Cb'],
    ['a%00b'],
    ['a\u0000b'],
    ['a\nb'],
    ['a\u202eb'],
    ['a./b'],
    ['a /b'],
    ['a/b.'],
    ['.git/config'],
    ['a/.GIT/hooks'],
    ['.baton/baton.db'],
    [`${'a'.repeat(256)}/b`],
    ['a/'.repeat(513)],
  ])('is never %j', (path) => {
    expect(pathProblem(path)).toEqual(expect.any(String));
  });
});
