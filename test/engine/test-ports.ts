import type { Errand } from '../../src/core/errand/errand-state.js';
import type { FoldedRun } from '../../src/engine/folded-run.js';
import type { EventStore, Ports } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { MemoryJournal } from '../../src/store/memory/journal.js';
import { type Faults, MemoryStore } from '../../src/store/memory/memory-store.js';
import { nodeHasher } from '../simulation/node-hasher.js';
import { override } from '../simulation/override.js';
import { NO_DEEDS } from './no-deeds.js';
import { TestClock } from './test-clock.js';

export type TestPorts = Ports & { clock: TestClock; journal: MemoryJournal; logged: string[] };

/** Ports in memory whose time stands still; `changes` replaces methods of the store. */
export function testPorts(changes: Partial<EventStore> = {}, secrets: readonly string[] = []): TestPorts {
  const clock = new TestClock();
  const journal = new MemoryJournal(nodeHasher);
  const logged: string[] = [];
  const now: Faults = { delayMs: () => 0, fate: () => 'fine' };
  return {
    clock,
    journal,
    logged,
    store: override<EventStore>(new MemoryStore(journal, clock, now), changes),
    ids: { uuid: () => 'id', random: () => 0.5 },
    hasher: nodeHasher,
    agents: {
      ask: () => new Promise(() => undefined),
      endLeftover: async () => ({ inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }),
    },
    commands: { execute: async () => ({ exitCode: 0, output: '' }) },
    ...NO_DEEDS,
    notifier: { notify: async () => undefined },
    scrub: createScrub(secrets),
    log: (_, message) => logged.push(message),
  };
}

/** What is promised, as soon as all it waits for has happened. */
export async function eventually<Value>({ clock }: TestPorts, promise: Promise<Value>): Promise<Value> {
  await clock.advance(100);
  return promise;
}

export function errandOf({ state }: FoldedRun): Errand {
  return state as Errand;
}
