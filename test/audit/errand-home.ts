import { errandDecider } from '../../src/core/errand/errand-decider.js';
import type { ErrandOrder } from '../../src/core/errand/errand-messages.js';
import { orThrow } from '../../src/engine/dispatch.js';
import { Engine } from '../../src/engine/engine.js';
import { type AnyCommand, Machines } from '../../src/engine/machines.js';
import type { Agents, EventStore, Ports } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { type Origin, sealBody } from '../../src/engine/seal.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { nodeIds } from '../../src/system/node-ids.js';
import { NO_DEEDS } from '../engine/no-deeds.js';

const USAGE = { inputTokens: 100, outputTokens: 20, costMicroUsd: 1_000 };

export type Given = {
  secrets?: readonly string[];
  answer?: string;
  orders: Readonly<Record<string, Partial<ErrandOrder>>>;
  request?: string;
  origin?: Partial<Origin>;
  /** Runs whose question is answered with yes once they rest. */
  approve?: readonly string[];
};

/** The real engine on a real store, with agents that answer at once; closed when every errand rests. */
export async function makeErrands(home: string, given: Given): Promise<void> {
  const store = await openSqliteStore({ home, writer: 'main' });
  try {
    await workErrands(store, given);
  } finally {
    await store.close();
  }
}

export async function workErrands(store: EventStore, given: Given): Promise<void> {
  const ports = portsOn(store, given);
  const engine = new Engine(ports, new Machines().add(errandDecider), {
    ...{ worker: 'tester', host: 'here', claimsAny: true, ownedMax: 100, snapshotEvery: 5, laneLimit: () => 2 },
  });
  await engine.start();
  try {
    await Promise.all(Object.entries(given.orders).map(([run, order]) => submit(engine, ports, run, order, given)));
    await Promise.all(Object.keys(given.orders).map((run) => atRest(store, engine, run)));
    for (const run of given.approve ?? []) {
      orThrow(await engine.send(run, { type: 'Approve', atMs: nodeClock.nowMs() } as AnyCommand, { actor: 'ben' }));
      await atRest(store, engine, run);
    }
  } finally {
    await engine.stop(1_000);
  }
}

async function submit(
  engine: Engine,
  ports: Ports,
  run: string,
  order: Partial<ErrandOrder>,
  { request = `do ${run}`, origin }: Given,
): Promise<void> {
  const { ref, body } = sealBody(ports, request);
  const command = {
    type: 'Submit',
    atMs: ports.clock.nowMs(),
    ...ORDER,
    title: `errand ${run}`,
    ...order,
    request: ref,
  };
  const key = { scope: 'test', key: `submit-${run}`, payload: 'p' };
  orThrow(await engine.create(run, 'errand', command, { actor: 'anna', key, bodies: [body], ...origin }));
}

function atRest(store: EventStore, engine: Engine, run: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      const row = await store.run(run);
      if (!row || row.owes || row.wakeAtMs !== null) return;
      forget();
      resolve();
    };
    const forget = engine.watch(run, () => void look().catch(reject));
    void look().catch(reject);
  });
}

function portsOn(store: EventStore, { secrets = [], answer = 'done' }: Given): Ports {
  const agents: Agents = {
    ask: async (_run, { agent }) =>
      agent === 'broken'
        ? { type: 'failed', failure: 'auth', reason: answer, usage: USAGE }
        : { type: 'answered', text: answer, usage: USAGE },
    endLeftover: async () => USAGE,
  };
  return {
    ...{ store, clock: nodeClock, ids: nodeIds, hasher: nodeHasher, agents, scrub: createScrub(secrets) },
    commands: { execute: async () => ({ exitCode: 0, output: answer }) },
    ...NO_DEEDS,
    notifier: { notify: async () => undefined },
    log: () => {},
  };
}

const ORDER: Omit<ErrandOrder, 'request' | 'title'> = {
  ...{ agent: 'alpha', steps: 2, retriesMax: 1, stepTimeoutMs: 60_000, limits: {}, rank: 0 },
  ...{ after: null, check: null, review: false, report: null },
};

/** Ended, waiting for a human twice, checked, and one after the other: every kind of row there is. */
export const SEVERAL: Given['orders'] = {
  'plain-1': {},
  'review-2': { review: true, steps: 1 },
  'checked-3': { check: { argv: ['true'], cwd: '.' }, steps: 1, report: 'plain-1' },
  'stuck-4': { agent: 'broken' },
};
