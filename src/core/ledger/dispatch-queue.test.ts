import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from '../../contracts/shared/resource.js';
import { DispatchQueue, type Ready } from './dispatch-queue.js';
import { PRIORITIES } from './task-status.js';

const SCOPE = fc.uniqueArray(fc.constantFrom('a', 'a/b', 'a/c', 'b', 'b/x', 'c', '.', 'A/B'), {
  minLength: 1,
  maxLength: 2,
  comparator: (one, other) => overlaps(one, other),
});
const TASKS = fc.array(
  fc.record({
    priority: fc.constantFrom(...PRIORITIES),
    scope: SCOPE,
    serial: fc.nat(9).map((chance) => chance === 0),
    late: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

const wantsOf = ({ serial, scope }: Omit<Ready, 'task' | 'priority'>): readonly string[] => (serial ? ['.'] : scope);

function collide(one: Ready, other: Ready): boolean {
  return wantsOf(one).some((mine) => wantsOf(other).some((theirs) => overlaps(mine, theirs)));
}

test('never two at once that overlap, never idle when one could begin, and every task comes to its turn', () => {
  fc.assert(
    fc.property(TASKS, fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat(100)), (drawn, most, chance) => {
      const queue = new DispatchQueue();
      const tasks = new Map<string, Ready>(drawn.map((one, index) => [`T-${index}`, { task: `T-${index}`, ...one }]));
      const waiting = new Set<string>();
      const add = (task: Ready): void => {
        queue.add(task);
        waiting.add(task.task);
      };
      for (const [index, task] of [...tasks.values()].entries()) if (!drawn[index]?.late) add(task);
      const late = [...tasks.values()].filter((_, index) => drawn[index]?.late);
      const active = new Map<string, Ready>();
      for (let steps = 0; waiting.size + active.size + late.length > 0; steps += 1) {
        expect(steps).toBeLessThan(200);
        const begun = queue.next(most - active.size);
        for (const name of begun) {
          const task = tasks.get(name) as Ready;
          for (const other of active.values()) expect(collide(task, other), `${name} and ${other.task}`).toBe(false);
          queue.remove(name);
          queue.begun(task);
          waiting.delete(name);
          active.set(name, task);
        }
        if (active.size === 0) expect(waiting.size, 'idle').toBe(0);
        const next = late.shift();
        if (next) add(next);
        const [ending] = [...active.keys()].slice((chance.next().value ?? 0) % Math.max(1, active.size));
        if (ending !== undefined) {
          active.delete(ending);
          queue.ended(ending);
        }
      }
      expect(queue.size).toBe(0);
    }),
    { numRuns: 2_000 },
  );
});

test('the most urgent first, those of one group in their order', () => {
  const queue = new DispatchQueue();
  const add = (task: string, priority: Ready['priority'], scope: string) =>
    queue.add({ task, priority, scope: [scope], serial: false });
  add('low', 'low', 'a');
  add('first', 'normal', 'b');
  add('second', 'normal', 'b');
  add('urgent', 'critical', 'b');
  add('other', 'high', 'c');
  expect(queue.next(10)).toEqual(['urgent', 'other', 'low']);
  queue.remove('urgent');
  queue.begun({ task: 'urgent', scope: ['b'], serial: false });
  expect(queue.next(10)).toEqual(['other', 'low']);
  queue.ended('urgent');
  expect(queue.next(10)).toEqual(['other', 'first', 'low']);
});
