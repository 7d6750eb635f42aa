import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InboxItem } from '../../client/index.js';
import { Live } from './live.js';

type Event = { position: number; run_id: string };
type Reading = { answer(items: number[]): void; fail(failure: Error): void };

/** A server whose events come when they are told, and whose inbox answers when it is let. */
const server = vi.hoisted(() => ({ tell: (_: Event): void => {}, readings: [] as Reading[] }));

vi.mock('./proof.js', () => ({ onOtherLogIn: () => () => {}, keptProof: () => null }));
vi.mock('./client.js', () => ({
  client: {
    whoami: async () => ({}),
    system: async () => ({ position: 1, now: new Date().toISOString() }),
    budgets: async () => ({ items: [] }),
    inbox: () =>
      new Promise((resolve, reject) => {
        const answer = (items: number[]) => resolve({ items: items.map((item) => ({ item })) });
        server.readings.push({ answer, fail: reject });
      }),
    async *events() {
      for (;;) yield await new Promise<Event>((resolve) => (server.tell = resolve));
    },
  },
}));

let live: Live;
const shown = () => live.state.items?.map(({ item }: InboxItem) => item) ?? null;
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  server.readings.length = 0;
  live = new Live();
  live.start();
  await passed(0);
  server.readings.shift()?.answer([]);
  await passed(0);
});
afterEach(() => {
  live.end();
  vi.useRealTimers();
});

async function changed(position: number): Promise<void> {
  server.tell({ position, run_id: 'j' });
  await passed(250);
}

test('what happens while the inbox is read is read next', async () => {
  await changed(2);
  const [first] = server.readings;
  await changed(3);
  first?.answer([]);
  server.readings[1]?.answer([7]);
  await passed(500);
  expect(shown()).toEqual([7]);
});

test('an answer that was asked for earlier and comes later is not shown', async () => {
  await changed(2);
  await changed(3);
  const [first, second] = server.readings;
  second?.answer([7]);
  await passed(0);
  first?.answer([]);
  await passed(0);
  expect(shown()).toEqual([7]);
});

test('an inbox that could not be read is read again, though nothing else happens', async () => {
  await changed(2);
  server.readings[0]?.fail(new TypeError('Failed to fetch'));
  await passed(2_500);
  server.readings[1]?.answer([7]);
  await passed(0);
  expect(shown()).toEqual([7]);
});
