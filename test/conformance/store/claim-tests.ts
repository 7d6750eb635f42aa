import { expect, test } from 'vitest';
import type { EventStore } from '../../../src/engine/ports.js';
import { appendNext } from './sealed.js';
import type { Opened } from './suite.js';

const NOW = 1_000_000;
const SILENT_MS = 10_000;

async function claim(store: EventStore, worker: string, which: { run?: string; limit?: number; nowMs?: number } = {}) {
  return store.claim(worker, { nowMs: NOW, limit: 10, ...which });
}

export function claimTests(opened: Opened): void {
  test('takes what owes something or whose time has come, once, and raises the epoch', async () => {
    const { store } = opened.current;
    await store.enlist('w1', 'host');
    await appendNext(store, 'resting');
    await appendNext(store, 'owing', { summary: { owes: true } });
    await appendNext(store, 'due', { summary: { wakeAtMs: NOW } });
    await appendNext(store, 'later', { summary: { wakeAtMs: NOW + 1 } });
    const claims = await claim(store, 'w1');
    expect(claims.map(({ run }) => run).sort()).toEqual(['due', 'owing']);
    expect(claims[0]).toEqual({ run: claims[0]?.run, kind: 'job', epoch: 1, previousOwner: null });
    expect(await store.run('owing')).toMatchObject({ owner: 'w1', epoch: 1 });
    expect(await claim(store, 'w1')).toEqual([]);
    expect([...(await store.ownedBy('w1'))].sort()).toEqual(['due', 'owing']);
  });

  test('tells who works on what, and whose runs are left behind', async () => {
    const { store } = opened.current;
    await store.enlist('w1', 'host');
    await appendNext(store, 'a', { summary: { owes: true } });
    await appendNext(store, 'resting');
    await claim(store, 'w1');
    await appendNext(store, 'b', { owner: 'gone' });
    await store.beat('w1');
    const seen = (await store.workers()).map(({ host: _, ...row }) => row);
    expect(seen).toEqual([
      { worker: 'gone', beat: null, leases: [{ run: 'b', epoch: 1 }] },
      { worker: 'w1', beat: 1, leases: [{ run: 'a', epoch: 1 }] },
    ]);
    expect([await store.isGone('w1'), await store.isGone('gone')]).toEqual([false, true]);
    await store.discharge('w1');
    expect(await store.isGone('w1')).toBe(true);
    expect((await store.workers()).find(({ worker }) => worker === 'w1')?.beat).toBeNull();
  });

  test('takes no more than it is told to', async () => {
    const { store } = opened.current;
    for (const run of ['a', 'b', 'c']) await appendNext(store, run, { summary: { owes: true, wakeAtMs: 1 } });
    expect(await claim(store, 'w1', { limit: 2 })).toHaveLength(2);
  });

  test('knows the next time of a run that nobody owns', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { summary: { wakeAtMs: 70 } });
    await appendNext(store, 'b', { summary: { wakeAtMs: 50 } });
    expect(await store.nextWake()).toBe(50);
    await store.enlist('w1', 'host');
    await claim(store, 'w1', { run: 'b' });
    expect(await store.nextWake()).toBe(70);
  });

  test('leaves a run to a live owner, and takes it from a dead one at once', async () => {
    const { store, second, kill } = opened.current;
    const other = await second();
    await other.enlist('w2', 'host');
    await appendNext(store, 'a', { summary: { owes: true } });
    await claim(other, 'w2');
    await store.enlist('w1', 'host');
    expect(await claim(store, 'w1')).toEqual([]);
    expect(await claim(store, 'w1', { run: 'a' })).toEqual([]);
    await kill(other, 'w2');
    expect(await claim(store, 'w1')).toEqual([{ run: 'a', kind: 'job', epoch: 2, previousOwner: 'w2' }]);
  });

  test('takes a run from an owner whose beat stood still for 10 s, not from one that beats', async () => {
    const { store, second, passMs } = opened.current;
    const other = await second();
    await other.enlist('w2', 'host');
    await appendNext(store, 'a', { owner: 'w2', summary: { owes: true } });
    await store.enlist('w1', 'host');
    expect(await claim(store, 'w1')).toEqual([]);
    const watch = async (forMs: number) => {
      for (let passed = 0; passed < forMs; passed += 1_000) {
        passMs(Math.min(1_000, forMs - passed));
        if (passed + 1_000 < forMs) expect(await claim(store, 'w1')).toEqual([]);
      }
    };
    await watch(SILENT_MS - 1);
    expect(await claim(store, 'w1')).toEqual([]);
    await other.beat('w2');
    passMs(1);
    expect(await claim(store, 'w1')).toEqual([]);
    passMs(SILENT_MS);
    expect(await claim(store, 'w1'), 'who did not look does not know').toEqual([]);
    await watch(SILENT_MS);
    expect(await claim(store, 'w1')).toEqual([{ run: 'a', kind: 'job', epoch: 2, previousOwner: 'w2' }]);
    expect(await appendNext(other, 'a', { fence: 1 })).toEqual({ type: 'fenced', epoch: 2 });
  });

  test('takes a released run as one that never had an owner', async () => {
    const { store } = opened.current;
    await store.enlist('w1', 'host');
    await appendNext(store, 'a', { owner: 'w1', summary: { owes: true } });
    await store.release('a', 7);
    expect(await store.run('a')).toMatchObject({ owner: 'w1' });
    await store.release('a', 1);
    expect(await store.run('a')).toMatchObject({ owner: null, epoch: 1 });
    expect(await claim(store, 'w2')).toEqual([{ run: 'a', kind: 'job', epoch: 2, previousOwner: null }]);
  });

  test('takes a named run whatever it owes, and only that one', async () => {
    const { store } = opened.current;
    await appendNext(store, 'resting');
    await appendNext(store, 'owing', { summary: { owes: true } });
    await store.enlist('w1', 'host');
    const first = { run: 'resting', kind: 'job', epoch: 1, previousOwner: null };
    expect(await claim(store, 'w1', { run: 'resting' })).toEqual([first]);
    expect(await claim(store, 'w1', { run: 'resting' })).toEqual([{ ...first, epoch: 2, previousOwner: 'w1' }]);
    expect(await claim(store, 'w1', { run: 'unknown' })).toEqual([]);
    expect(await store.run('owing')).toMatchObject({ owner: null });
  });

  test('takes the runs of a worker that was discharged', async () => {
    const { store } = opened.current;
    await store.enlist('w1', 'host');
    await appendNext(store, 'a', { owner: 'w1', summary: { owes: true } });
    expect(await claim(store, 'w2')).toEqual([]);
    await store.discharge('w1');
    expect(await claim(store, 'w2')).toMatchObject([{ run: 'a', previousOwner: 'w1' }]);
  });
}
