import { readFileSync } from 'node:fs';
import { errandDecider } from '../../../src/core/errand/errand-decider.js';
import { Engine, type EngineOptions } from '../../../src/engine/engine.js';
import { Machines } from '../../../src/engine/machines.js';
import type { Ports } from '../../../src/engine/ports.js';
import { createScrub } from '../../../src/engine/scrub.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import { nodeIds } from '../../../src/system/node-ids.js';
import { NO_DEEDS } from '../../engine/no-deeds.js';
import { fastClock } from './fast-clock.js';
import type { WorkerOrder } from './orders.js';
import { plantBug } from './planted-bugs.js';

const LANE_LIMIT = 4;
/** More than a harness ever has open: what a full worker leaves to others is not what is looked at here. */
const OWNED_MAX = 1_000;

export function readOrder<Order>(): Order {
  return JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Order;
}

/** Written to a pipe at once and as a whole, so that what was said before a kill is heard. */
export function say(...words: readonly (string | number | null)[]): void {
  process.stdout.write(`${words.join(' ')}\n`);
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

export async function openStore(
  { home, writerUrl, speed, planted }: Omit<WorkerOrder, 'worker'>,
  writer: 'main' | 'thread',
): Promise<SqliteStore> {
  const monotonicMs = (): number => performance.now() * speed;
  const store = await openSqliteStore({ home, writer, monotonicMs, workerUrl: new URL(writerUrl) });
  return plantBug(store, planted);
}

/** A process that starts nothing in the world has no agents and no commands. */
export function portsOf(
  { speed, originMs }: Omit<WorkerOrder, 'worker'>,
  store: Ports['store'],
  world: Partial<Pick<Ports, 'agents' | 'commands'>> = {},
): Ports {
  const nobody = (): Promise<never> => Promise.reject(new Error('this process starts nothing'));
  return {
    store,
    clock: fastClock(speed, originMs),
    ids: nodeIds,
    hasher: nodeHasher,
    agents: { ask: nobody, endLeftover: nobody },
    commands: { execute: nobody },
    ...NO_DEEDS,
    notifier: { notify: async () => undefined },
    scrub: createScrub([]),
    log: (level, message, fields) => say('log', level, message, JSON.stringify(fields ?? {})),
    ...world,
  };
}

export function engineOf(ports: Ports, options: Pick<EngineOptions, 'worker' | 'claimsAny'>): Engine {
  return new Engine(ports, new Machines().add(errandDecider), {
    ...options,
    host: 'faults',
    ownedMax: OWNED_MAX,
    snapshotEvery: 5,
    laneLimit: () => LANE_LIMIT,
  });
}
