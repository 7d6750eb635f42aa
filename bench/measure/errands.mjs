// The engine as a program embeds it: a real store, the node adapters, an agent that answers at once or not at all.
import { randomUUID } from 'node:crypto';

export const STEPS = 10;
const USAGE = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
const SECRETS = ['not-a-secret-but-as-long', 'another-one-of-these', 'the-third-is-the-last'];
const ORDER = {
  ...{ agent: 'scripted', steps: STEPS, retriesMax: 3, stepTimeoutMs: 60_000, limits: {}, rank: 0 },
  ...{ after: null, check: null, review: false, report: null },
};

/** `ask` is the agent; without it every step is answered at once. */
export async function startEngine(baton, home, { writer = 'main', ask = async () => 'done', worker } = {}) {
  const store = await baton.openSqliteStore({ home, writer });
  const ports = {
    ...{ store, clock: baton.nodeClock, ids: baton.nodeIds, hasher: baton.nodeHasher },
    scrub: baton.createScrub(SECRETS),
    agents: {
      ask: async (run, { key }) => ({ type: 'answered', text: await ask(run, key), usage: USAGE }),
      endLeftover: async () => USAGE,
    },
    commands: { execute: async () => ({ exitCode: 0, output: '' }) },
    notifier: { notify: async () => {} },
    log: (level, message, fields) => console.error(level, message, fields),
  };
  const engine = new baton.Engine(ports, new baton.Machines().add(baton.errandDecider), {
    ...{ worker: worker ?? `bench-${randomUUID()}`, host: 'here', claimsAny: true, ownedMax: 1000 },
    ...{ snapshotEvery: 100, laneLimit: () => 100 },
  });
  await engine.start();
  return { engine, ports, store };
}

export async function submit({ engine, ports }, baton, order = {}) {
  const run = randomUUID();
  const { ref, body } = baton.sealBody(ports, `a request for ${run}`);
  const command = {
    type: 'Submit',
    atMs: ports.clock.nowMs(),
    ...ORDER,
    title: `errand ${run}`,
    ...order,
    request: ref,
  };
  const key = { scope: 'bench', key: `submit-${run}`, payload: body.sha256 };
  baton.orThrow(await engine.create(run, 'errand', command, { actor: 'bench', key, bodies: [body] }));
  return run;
}

/** Steps per second of so many errands, so many of them at a time. */
export async function stepRate(running, baton, { errands, atOnce }) {
  let left = errands;
  const started = process.hrtime.bigint();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const run = await submit(running, baton);
      const { status } = await running.engine.rested(run);
      if (status !== 'done') throw new Error(`an errand ended as ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ((errands * STEPS) / Number(process.hrtime.bigint() - started)) * 1e9;
}
