import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps, resourceOf } from '../../contracts/shared/resource.js';
import { LockTable } from './lock-table.js';

const PART = fc.constantFrom('src', 'SRC', 'api', 'a', 'straße', 'STRASSE', 'x.ts');
const RESOURCE = fc.oneof(
  { weight: 8, arbitrary: fc.array(PART, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')) },
  { weight: 1, arbitrary: fc.constant('.') },
);
const SCOPE = fc
  .array(RESOURCE, { minLength: 1, maxLength: 3 })
  .filter((list) => list.every((one, at) => list.every((other, index) => index <= at || !overlaps(one, other))));
const ACT = fc.oneof(
  { weight: 3, arbitrary: fc.record({ take: fc.nat(5), scope: SCOPE }) },
  { weight: 2, arbitrary: fc.record({ free: fc.nat(5) }) },
);

/** Looks at every pair. */
class SlowTable {
  readonly held = new Map<string, readonly string[]>();

  conflicts(task: string, scope: readonly string[]): boolean {
    const others = [...this.held].filter(([other]) => other !== task).flatMap(([, resources]) => resources);
    return scope.some((resource) => others.some((other) => overlaps(resourceOf(resource), resourceOf(other))));
  }
}

test('what is free is what no other task has, above, at or below, in any case of letters', () => {
  fc.assert(
    fc.property(fc.array(ACT, { maxLength: 40 }), (acts) => {
      const table = new LockTable();
      const slow = new SlowTable();
      for (const act of acts) {
        if ('free' in act) {
          table.release(`T-${act.free}`);
          slow.held.delete(`T-${act.free}`);
          continue;
        }
        const task = `T-${act.take}`;
        const found = table.conflict(task, act.scope);
        expect(found !== undefined).toBe(slow.conflicts(task, act.scope));
        if (found) expect(overlaps(found.resource, found.with.resource)).toBe(true);
        if (found || slow.held.has(task)) continue;
        table.take(task, act.scope);
        slow.held.set(task, act.scope);
      }
      expect([...table.all()].length).toBe(table.size);
      for (const task of slow.held.keys()) table.release(task);
      expect([table.size, table.conflict('T-x', ['.'])]).toEqual([0, undefined]);
    }),
    { numRuns: 2_000 },
  );
});
