import { describe, expect, test } from 'vitest';
import { errandDecider } from '../../src/core/errand/errand-decider.js';
import { dispatch } from '../../src/engine/dispatch.js';
import { encodeState, foldRows } from '../../src/engine/folded-run.js';
import { type AnyEvent, Machines } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import { RunCache } from '../../src/engine/run-cache.js';
import { submission } from './submission.js';
import { eventually, testPorts } from './test-ports.js';

describe('a run that is read', () => {
  test('is the same with and without a snapshot', async () => {
    const { ports, open, saveSnapshot } = await setUp();
    const before = await open();
    await saveSnapshot(before.version, errandDecider.version, encodeState(before));
    ports.journal.snapshots.set('run', { ...snapshotOf(ports), version: 2 });
    const { snapshotVersion, ...after } = await open();
    expect(after).toEqual({ ...after, state: before.state, version: before.version, head: before.head });
    expect(snapshotVersion).toBe(2);
  });

  test('does not look at the snapshot of another release', async () => {
    const { open, saveSnapshot } = await setUp();
    const before = await open();
    await saveSnapshot(1, errandDecider.version + 1, '{"status":"nonsense"}');
    expect(await open()).toEqual(before);
  });

  test('continues behind its snapshot', async () => {
    const { open, saveSnapshot, folds } = await setUp();
    const { state } = await open();
    await saveSnapshot(2, errandDecider.version, JSON.stringify(state));
    folds.length = 0;
    await open();
    expect(folds).toEqual([]);
  });
});

test('a gap in the events is not folded over', async () => {
  const { ports, open } = await setUp();
  const folded = await open();
  const row = ports.journal.rows[1] as EventRow;
  expect(() => foldRows(folded, [{ ...row, seq: 4 }])).toThrow('run: event 4 follows 2');
});

test('a run that is not there is not opened', async () => {
  const { ports, cache } = await setUp();
  expect(await eventually(ports, cache().open('other'))).toBe(undefined);
});

async function setUp() {
  const ports = testPorts();
  const folds: string[] = [];
  const evolve = (state: object, event: AnyEvent) => {
    folds.push(event.type);
    return errandDecider.evolve(state as never, event as never) as object;
  };
  const machines = new Machines().add({ ...errandDecider, evolve } as typeof errandDecider);
  const cache = () => new RunCache(ports.store, machines);
  await eventually(ports, dispatch(ports, cache(), 'run', submission(), { actor: 'x' }, { create: 'errand' }));
  const open = async () => {
    const folded = await eventually(ports, cache().open('run'));
    if (!folded) throw new Error('it is not there');
    return folded;
  };
  const saveSnapshot = (version: number, machineVersion: number, state: string) =>
    eventually(ports, ports.store.saveSnapshot({ run: 'run', version, machineVersion, state }, 0));
  return { ports, cache, open, saveSnapshot, folds };
}

function snapshotOf(ports: ReturnType<typeof testPorts>) {
  const snapshot = ports.journal.snapshots.get('run');
  if (!snapshot) throw new Error('there is no snapshot');
  return snapshot;
}
