import { expect, test } from 'vitest';
import type { FoldedRun } from './folded-run.js';
import type { Ports } from './ports.js';
import { recordLost } from './record-lost.js';
import type { RunCache } from './run-cache.js';

test('a loss that others keep from being written is no loss that was written', async () => {
  const perform = { type: 'Perform', key: 'call-1', deed: 'd', input: {} };
  const machine = {
    ...{ kind: 'k', version: 1, initialState: () => ({}), evolve: (state: object) => state, inbox: () => undefined },
    decide: () => ({ events: [{ type: 'Lost' }] }),
    outstanding: () => [perform],
    summary: () => ({ owes: true, wakeAtMs: null }),
  };
  let nowMs = 0;
  const store = {
    run: async () => ({ epoch: 3 }),
    append: async () => {
      nowMs += 60_000; // stopped meanwhile
      return [{ type: 'conflict', version: 9 }];
    },
  };
  const ports = {
    ...{ store, scrub: Object.assign((text: string) => text, { json: scrubbed }), hasher: { sha256: () => 'h' } },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: atOnce },
    ids: { random: () => 0, uuid: () => 'u' },
    agents: { endLeftover: async () => ({ inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }) },
  } as unknown as Ports;
  const folded = {
    run: 'r',
    machine,
    state: {},
    version: 1,
    head: '',
    epoch: 3,
    snapshotVersion: 0,
  } as unknown as FoldedRun;
  const cache = { open: async () => folded, forget: () => {} } as unknown as RunCache;
  await expect(recordLost({ ports, cache, forget: async () => {} }, folded, 3)).rejects.toThrow('call-1 of r is lost');
});

function scrubbed(value: object) {
  return { text: JSON.stringify(value), changed: false };
}

function atOnce(_: number, call: () => void) {
  call();
  return () => {};
}
