import { describe, expect, test } from 'vitest';
import { checked, KNOWN_SAFE } from './known-safe.js';
import { fitsSafely, type SafeProgram } from './safe-program.js';

const sort: SafeProgram = {
  argv: ['sort'],
  options: [/^-[ru]+$/],
  examples: { safe: ['sort -r a'], unsafe: ['sort -o a'] },
};

describe('the list of safe programs', () => {
  test('agrees with its own examples', () => {
    expect(() => checked(KNOWN_SAFE)).not.toThrow();
    expect(KNOWN_SAFE.every(({ examples }) => examples.safe.length > 0)).toBe(true);
  });

  test.each([
    ['a safe example that is not', { ...sort, examples: { safe: ['sort -o a'], unsafe: [] } }, /said to be safe/],
    ['an unsafe example that is safe', { ...sort, examples: { safe: ['sort a'], unsafe: ['sort -u'] } }, /unsafe/],
    ['no example', { ...sort, examples: { safe: [], unsafe: [] } }, /no example/],
  ])('does not load with %s', (_about, entry, problem) => {
    expect(() => checked([entry])).toThrow(problem);
  });

  test('does not load when another entry makes an unsafe example safe', () => {
    const wide: SafeProgram = { argv: ['sort'], examples: { safe: ['sort a'], unsafe: [] } };
    expect(() => checked([sort, wide])).toThrow(/said to be unsafe/);
  });

  test.each([
    ['sort', true],
    ['sort -- -o', true],
    ['sort - a', true],
    ['sort -ro a', false],
    ['sorts a', false],
  ])('%s', (line, fits) => {
    expect(fitsSafely(sort, line.split(' '), null)).toBe(fits);
  });

  test('does not fit when words that matter are not known', () => {
    expect(fitsSafely(sort, ['sort', '*'], 1)).toBe(false);
    expect(fitsSafely({ argv: ['ls'], examples: sort.examples }, ['ls', '*'], 1)).toBe(true);
    expect(fitsSafely({ argv: ['git', 'x'], examples: sort.examples }, ['git', 'x'], 1)).toBe(false);
  });
});
