import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInside, overlaps, resourceOf, resourceProblem } from './resource.js';

describe('the normal form of a resource [R366]', () => {
  test.each([
    ['src/api.py', 'src/api.py'],
    ['  src/api.py ', 'src/api.py'],
    ['src\\api.py', 'src/api.py'],
    ['src//api.py', 'src/api.py'],
    ['./src/./api.py', 'src/api.py'],
    ['src/lib/../api.py', 'src/api.py'],
    ['/src/api.py', 'src/api.py'],
    ['src/', 'src'],
    ['src///', 'src'],
    ['.', '.'],
    ['/', '.'],
    ['./', '.'],
    ['src/..', '.'],
    ['docs/cafe\u0301.md', 'docs/caf\u00e9.md'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['app/(shop)/{a,b}/!x', 'app/(shop)/{a,b}/!x'],
    ['.env', '.env'],
    ['...', '...'],
    ['..a/b..', '..a/b..'],
    ['a b/c', 'a b/c'],
    ['src/API.py', 'src/API.py'],
  ])('of %j is %j', (text, resource) => {
    expect(resourceProblem(text)).toBeUndefined();
    expect(resourceOf(text)).toBe(resource);
  });

  test.each(['', ' ', '\t\n'])('does not exist for the blank %j', (text) => {
    expect(resourceProblem(text)).toEqual(expect.any(String));
    expect(() => resourceOf(text)).toThrow();
  });

  test.each(['src/*', '**', 'a?.ts', 'src/**/*.ts'])('does not exist for the wildcard %j', (text) => {
    expect(resourceProblem(text)).toEqual(expect.any(String));
    expect(() => resourceOf(text)).toThrow();
  });

  test.each(['..', '/..', '../x', 'a/../..', 'a/../../b', '..\\x', '\\..'])('does not exist outside: %j', (text) => {
    expect(resourceProblem(text)).toEqual(expect.any(String));
    expect(() => resourceOf(text)).toThrow();
  });

  test.each(['a\u0000b', 'a\nb', 'a\u007fb', 'a\u202eb', 'a\u2066b'])('does not exist for hidden %j', (text) => {
    expect(resourceProblem(text)).toEqual(expect.any(String));
    expect(() => resourceOf(text)).toThrow();
  });

  test('exists up to 4096 characters', () => {
    expect(resourceOf('a'.repeat(4096))).toBe('a'.repeat(4096));
    expect(resourceProblem('a'.repeat(4097))).toEqual(expect.any(String));
  });

  test('is its own normal form', () => {
    const segment = fc.constantFrom('a', 'B', '.', '..', '', 'é', 'e\u0301', '[id]', 'a b', ' a', ' .', ' ..', ' ');
    fc.assert(
      fc.property(fc.array(segment), fc.constantFrom('/', '\\'), (segments, slash) => {
        const text = segments.join(slash);
        fc.pre(resourceProblem(text) === undefined);
        expect(resourceOf(resourceOf(text))).toBe(resourceOf(text));
      }),
    );
  });
});

describe('names that would be trimmed once more', () => {
  test.each(['./ src', '/ ../x', './ ./src', 'a/../ src', 'src /', '/ /'])('have no normal form: %j', (text) => {
    expect(resourceProblem(text)).toEqual(expect.any(String));
    expect(() => resourceOf(text)).toThrow();
  });
});

describe('two resources', () => {
  test.each([
    ['a', 'a', true],
    ['a', 'a/b', true],
    ['a/b', 'a', true],
    ['a', 'A', true],
    ['A/b', 'a/B/c', true],
    ['.', 'a', true],
    ['a', '.', true],
    ['é', 'É', true],
    ['a/[id]', 'a/[id]/b', true],
    ['a', 'ab', false],
    ['a/b', 'a/c', false],
    ['a.ts', 'a', false],
    ['a/[id]', 'a/[slug]', false],
  ])('%j and %j overlap: %s', (one, other, expected) => {
    expect(overlaps(one, other)).toBe(expected);
    expect(overlaps(other, one)).toBe(expected);
  });

  test.each([
    ['a', 'a', true],
    ['a/b', 'a', true],
    ['a', '.', true],
    ['a', 'a/b', false],
    ['ab', 'a', false],
    ['A/b', 'a', false],
    ['a/B', 'a/b', false],
  ])('%j is inside %j by exact case: %s', (resource, scope, expected) => {
    expect(isInside(resource, scope)).toBe(expected);
  });
});
