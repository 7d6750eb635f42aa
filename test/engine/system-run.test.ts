import { describe, expect, test } from 'vitest';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../src/core/kernel/system-run.js';
import { systemDecider } from '../../src/core/system/system-decider.js';
import { dispatch } from '../../src/engine/dispatch.js';
import { Machines } from '../../src/engine/machines.js';
import { RunCache } from '../../src/engine/run-cache.js';
import { SystemRun } from '../../src/engine/system/system-run.js';
import { settled } from './test-clock.js';
import { eventually, testPorts } from './test-ports.js';

const MINUTE_MS = 60_000;

function setUp() {
  const ports = testPorts();
  const machines = new Machines().add(systemDecider);
  const cache = new RunCache(ports.store, machines);
  const watchers = new Set<() => void>();
  const system = new SystemRun({
    ports,
    machines,
    async send(run, command, origin, how) {
      const outcome = await dispatch(ports, cache, run, command, origin, how);
      for (const call of [...watchers]) call();
      return outcome;
    },
    watch(_, call) {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  });
  const now = <Value>(promise: Promise<Value>): Promise<Value> => eventually(ports, promise);
  const items = () => now(ports.store.inbox({ open: true, after: 0, limit: 10 }));
  return { ports, system, now, items, clock: ports.clock, signal: new AbortController().signal };
}

describe('the system run', () => {
  test('answers many who ask at once, while somebody writes', async () => {
    const { system, now, signal } = setUp();
    await now(system.asked('other', { failure: 'limit', retryAfterMs: 2 * MINUTE_MS }));
    const asked = Array.from({ length: 20 }, () => system.ready('free', { patient: true }, signal));
    await now(system.asked('other', { failure: 'limit', retryAfterMs: 3 * MINUTE_MS }));
    expect(await now(Promise.all(asked))).toEqual(asked.map(() => true));
  });

  test('lets one try a lost login, and all go on when it is found', async () => {
    const { system, now, items, signal, clock } = setUp();
    await now(system.asked('anna', { failure: 'login' }));
    await now(system.asked('anna', { failure: 'login' }));
    expect(await items()).toHaveLength(1);
    const ready: number[] = [];
    for (const number of [1, 2, 3]) {
      void system.ready('anna', { patient: false }, signal).then(() => ready.push(number));
    }
    await settled();
    expect(ready).toEqual([]);
    await clock.advance(MINUTE_MS);
    await settled();
    expect(ready).toHaveLength(1);
    await now(system.asked('anna', undefined));
    await settled();
    expect(ready).toHaveLength(3);
    expect(await items()).toEqual([]);
  });

  test('keeps nothing of a short limit, and nothing at all when nobody is held up', async () => {
    const { system, now, ports } = setUp();
    await now(system.asked('anna', { failure: 'limit', retryAfterMs: 1_000 }));
    await now(system.asked('anna', { failure: 'crash' }));
    await now(system.asked('anna', undefined));
    expect(await now(ports.store.run(SYSTEM_RUN))).toBe(undefined);
  });

  test('holds up only the patient at a limit', async () => {
    const { system, now, signal, clock } = setUp();
    await now(system.asked('anna', { failure: 'limit', retryAfterMs: 2 * MINUTE_MS }));
    expect(await now(system.ready('anna', { patient: false }, signal))).toBe(true);
    let ready = false;
    void system.ready('anna', { patient: true }, signal).then(() => {
      ready = true;
    });
    await clock.advance(MINUTE_MS);
    await settled();
    expect(ready).toBe(false);
    await clock.advance(MINUTE_MS);
    await settled();
    expect(ready).toBe(true);
  });

  test('stops waiting when it is told to', async () => {
    const { system, now } = setUp();
    const stop = new AbortController();
    await now(system.asked('anna', { failure: 'login' }));
    const ready = system.ready('anna', { patient: true }, stop.signal);
    stop.abort();
    expect(await now(ready)).toBe(false);
  });
});

test('a snapshot of it is the same state', () => {
  const { evolve, initialState, snapshot } = systemDecider;
  const claim = { scope: '/repo', resources: ['src'] };
  let state = evolve(initialState(), { type: 'PathsLocked', atMs: 1, holder: 'j', token: 1, ...claim });
  state = evolve(state, { type: 'LoginLost', atMs: 2, login: '__proto__', untilMs: 3, loss: 1 });
  expect(snapshot?.decode(JSON.parse(JSON.stringify(snapshot.encode(state))))).toEqual(state);
  expect(systemDecider.kind).toBe(SYSTEM_KIND);
});
