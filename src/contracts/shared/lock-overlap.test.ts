import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findOverlap, type Held } from './lock-overlap.js';
import { overlaps, resourceOf } from './resource.js';

const anyLock: fc.Arbitrary<Held> = fc.record({
  task_id: fc.constantFrom('T-1', 'T-2', 'T-3'),
  resource: fc
    .array(fc.constantFrom('a', 'A', 'ab', 'é', 'e\u0301', '[id]', '.'), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join('/')),
});

function held(task_id: string, resource: string): Held {
  return { task_id, resource };
}

/** The meaning, without any index: look at every pair. */
function conflict(one: Held, other: Held): boolean {
  return one.task_id !== other.task_id && overlaps(resourceOf(one.resource), resourceOf(other.resource));
}

describe('overlap among locks', () => {
  // Few locks are compared pair by pair, many through an index: both must mean the same.
  test.each([
    ['few', 2, 8],
    ['many', 9, 40],
  ])('of %s is found exactly when two tasks want the same place', (_, minLength, maxLength) => {
    fc.assert(
      fc.property(fc.array(anyLock, { minLength, maxLength }), (locks) => {
        const found = findOverlap(locks);
        const exists = locks.some((one, index) => locks.slice(index + 1).some((other) => conflict(one, other)));
        expect(found !== undefined).toBe(exists);
        if (found) expect(conflict(found.one, found.other)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is found below a folder although the folder’s own task was there first', () => {
    const elsewhere = Array.from({ length: 8 }, (_, index) => ({ task_id: 'T-9', resource: `other/${index}` }));
    const [first, second] = [held('T-1', 'a/x'), held('T-2', 'a/y')];
    expect(findOverlap([...elsewhere, first, second])).toBeUndefined();
    expect(findOverlap([...elsewhere, first, second, held('T-1', 'a')])).toEqual({
      one: second,
      other: held('T-1', 'a'),
    });
  });

  test('of fifty thousand locks that do not overlap takes no time to speak of', () => {
    const locks = Array.from({ length: 50_000 }, (_, index) => ({
      task_id: `T-${index}`,
      resource: `src/${index}/a.ts`,
    }));
    const started = performance.now();
    expect(findOverlap(locks)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
