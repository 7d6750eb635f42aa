import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf } from '../../src/core/system/day-budget.js';
import type { EventRow, RunRow } from '../../src/engine/ports.js';
import { Spendings } from '../../src/engine/projections/spendings.js';
import { SpentToday } from '../../src/engine/projections/spent-today.js';

const HOUR_MS = 3_600_000;
const usageOf = (costMicroUsd: number) => ({ inputTokens: costMicroUsd, outputTokens: 0, costMicroUsd });

/** One attempt: metered or by its own word, answered or cut off, at an hour. */
type Attempt = {
  run: 'one' | 'two' | 'three';
  hour: number;
  cost: number;
  how: 'metered' | 'said' | 'lost' | 'canceled' | 'cut';
};
const anyAttempt: fc.Arbitrary<Attempt> = fc.record({
  run: fc.constantFrom('one', 'two', 'three'),
  hour: fc.integer({ min: 0, max: 71 }),
  cost: fc.integer({ min: 1, max: 100 }),
  how: fc.constantFrom('metered', 'said', 'lost', 'canceled', 'cut'),
});
const PROJECT = { one: 'a', two: 'a', three: 'b' } as const;

function eventsOf({ run, hour, cost, how }: Attempt): { run: string; type: string; data: object }[] {
  const atMs = hour * HOUR_MS;
  const answered = { type: 'HandoffAnswered', data: { usage: usageOf(how === 'metered' || how === 'cut' ? cost : 0) } };
  const collected = { type: 'HandoffCollected', data: { reading: { reported: usageOf(cost) } } };
  const ended = (used: number) => ({ type: 'HandoffEnded', data: { usage: usageOf(used), response: 'SUCCESS' } });
  const told = {
    metered: [answered, collected, ended(0)],
    said: [answered, collected, ended(0)],
    lost: [ended(cost)],
    canceled: [{ type: 'JobCanceled', data: { used: usageOf(cost) } }],
    cut: [answered, { type: 'JobCanceled', data: {} }],
  }[how];
  return [{ type: 'HandoffAsked', data: { agent: 'x' } }, ...told].map(({ type, data }) => ({
    ...{ run, type },
    data: { atMs, ...data },
  }));
}

class Log {
  readonly rows: EventRow[] = [];
  /** How many rows were read. */
  read = 0;

  write(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) {
      for (const { run, type, data } of eventsOf(attempt)) this.add(run, type, data, attempt.hour);
    }
  }

  add(run: string, type: string, data: object, hour: number): void {
    const position = this.rows.length + 1;
    const at = new Date(hour * HOUR_MS).toISOString();
    this.rows.push({ position, run, type, data: JSON.stringify(data), at } as EventRow);
  }

  feed = async (after: number, limit: number) => {
    const rows = this.rows.slice(after, after + limit);
    this.read += rows.length;
    return rows;
  };
  position = async () => this.rows.length;
  run = async (run: string) => ({ project: PROJECT[run as keyof typeof PROJECT] }) as unknown as RunRow;
}

const inOrder = (attempts: readonly Attempt[]): Attempt[] => [...attempts].sort((one, other) => one.hour - other.hour);

test('what was spent today is what the attempts of today cost, however it is read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAttempt, { maxLength: 40 }),
      fc.nat(40),
      fc.integer({ min: 0, max: 2 }),
      async (drawn, cut, day) => {
        const attempts = inOrder(drawn);
        const log = new Log();
        const spent = new SpentToday(log);
        log.write(attempts.slice(0, cut));
        await spent.at(day * 24 * HOUR_MS);
        log.write(attempts.slice(cut));
        const spentBy = await spent.at(day * 24 * HOUR_MS);
        const sum = (mine: (attempt: Attempt) => boolean): number =>
          attempts
            .filter((one) => dayOf(one.hour * HOUR_MS) === day && mine(one))
            .reduce((all, { cost }) => all + cost, 0);
        expect(spentBy(null)).toEqual({ costMicroUsd: sum(() => true), tokens: sum(() => true) });
        expect(spentBy('a').costMicroUsd).toBe(sum(({ run }) => run !== 'three'));
        expect(spentBy('b').costMicroUsd).toBe(sum(({ run }) => run === 'three'));
      },
    ),
  );
});

test('the report of costs adds up to the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAttempt, { maxLength: 40 }), async (drawn) => {
      const log = new Log();
      for (const run of Object.keys(PROJECT)) log.add(run, 'JobSubmitted', { atMs: 0, order: { project: 'p' } }, 0);
      log.write(inOrder(drawn));
      const attempts = await new Spendings(log).all();
      const sum = attempts.reduce((all, { usage }) => all + usage.costMicroUsd, 0);
      expect(sum).toBe(drawn.reduce((all, { cost }) => all + cost, 0));
    }),
  );
});

test('days that are over are not read again, and neither is what was read before', async () => {
  const log = new Log();
  const old: Attempt = { run: 'one', hour: 1, cost: 1, how: 'metered' };
  log.write(Array.from({ length: 5_000 }, () => old));
  log.write([{ ...old, hour: 49 }]);
  const spent = new SpentToday(log);
  await spent.at(49 * HOUR_MS);
  expect(log.read).toBeLessThan(30);
  const before = log.read;
  await spent.at(49 * HOUR_MS);
  expect(log.read).toBe(before);
});
