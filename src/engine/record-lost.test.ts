import { expect, test } from 'vitest';
import { NO_USAGE } from '../core/kernel/effect.js';
import type { FoldedRun } from './folded-run.js';
import type { Ports } from './ports.js';
import { recordLost } from './record-lost.js';
import type { RunCache } from './run-cache.js';
import { EVENT_BYTES_MAX } from './seal.js';

type Answer = { type: 'appended' } | { type: 'conflict'; version: number };

/** A run that owes one deed, whose loss is written as it is told. */
function setUp({ answer, thread, passMs = 0 }: { answer: Answer; thread?: string; passMs?: number }) {
  const machine = {
    ...{ kind: 'k', version: 1, initialState: () => ({}), evolve: (state: object) => state, inbox: () => undefined },
    decide: (_: object, command: object) => ({ events: [command] }),
    outstanding: () => [{ type: 'Perform', key: 'call-1', deed: 'd', input: {} }],
    summary: () => ({ owes: true, wakeAtMs: null }),
  };
  let nowMs = 0;
  const written: object[] = [];
  const store = {
    run: async () => ({ epoch: 3 }),
    append: async ([unit]: [{ events: { data: string }[] }]) => {
      nowMs += passMs;
      for (const { data } of unit.events) written.push(JSON.parse(data));
      return [answer];
    },
  };
  const ports = {
    ...{ store, scrub: Object.assign((text: string) => text, { json: scrubbed }), hasher: { sha256: () => 'h' } },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: atOnce },
    ids: { random: () => 0, uuid: () => 'u' },
    agents: { endLeftover: async () => ({ ...NO_USAGE, ...(thread !== undefined && { thread }) }) },
  } as unknown as Ports;
  const folded = {
    ...{ run: 'r', machine, state: {}, version: 1, head: '', epoch: 3, snapshotVersion: 0 },
  } as unknown as FoldedRun;
  const cache = { open: async () => folded, forget: () => {}, keep: () => {} } as unknown as RunCache;
  return { written, record: () => recordLost({ ports, cache, forget: async () => {} }, folded, 3) };
}

test('a loss that others keep from being written is no loss that was written', async () => {
  const stoppedMs = 60_000;
  const { record } = setUp({ answer: { type: 'conflict', version: 9 }, passMs: stoppedMs });
  await expect(record()).rejects.toThrow('call-1 of r is lost');
});

test('a loss is written without the name of a conversation that no event could hold', async () => {
  const { written, record } = setUp({ answer: { type: 'appended' }, thread: 't'.repeat(EVENT_BYTES_MAX) });
  await record();
  expect(written).toEqual([{ atMs: 0, key: 'call-1', usage: NO_USAGE }]);
});

function scrubbed(value: object) {
  return { text: JSON.stringify(value), changed: false };
}

function atOnce(_: number, call: () => void) {
  call();
  return () => {};
}
