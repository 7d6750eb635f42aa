import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventHash, GENESIS } from '../../../src/engine/chain.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { bundle } from './bundle.js';
import { startChild } from './child.js';
import { HASHER } from './sealed.js';

const KILLS = 20;
const ENTRY = new URL('./processes/appender.ts', import.meta.url);

describe('processes that append to one SQLite store', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'baton-crash-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  test(`lose nothing they acknowledged when they are killed, ${KILLS} times`, async () => {
    const entry = await bundle(ENTRY);
    const acknowledged = new Map<string, number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const run = `run-${kill}`;
      const child = startChild(entry, [home, run]);
      await child.until((line) => Number(line) >= 1 + 7 * kill);
      await child.kill();
      acknowledged.set(run, Number(child.lines.at(-1)));
    }
    const store = await openSqliteStore({ home, writer: 'main' });
    for (const [run, version] of acknowledged) {
      const loaded = await store.load(run);
      expect(loaded?.version).toBeGreaterThanOrEqual(version);
      let head = GENESIS;
      for (const row of loaded?.tail ?? []) head = eventHash(HASHER, head, row);
      expect(head).toBe(loaded?.head);
    }
    const feed = await store.feed(0, 10_000);
    expect(feed.map(({ position }) => position)).toEqual(feed.map((_, index) => index + 1));
    expect(feed.length).toBe(await store.position());
    await store.close();
  });

  test('leave their runs to others the moment they are killed', async () => {
    const child = startChild(await bundle(new URL('./processes/owner.ts', import.meta.url)), [home, 'w1']);
    await child.until((line) => line === 'owns');
    const store = await openSqliteStore({ home, writer: 'main' });
    await store.enlist('w2', 'host');
    const look = () => store.claim('w2', { nowMs: 0, limit: 9 });
    expect(await look()).toEqual([]);
    await child.kill();
    expect(await look()).toEqual([{ run: 'run-of-w1', kind: 'job', epoch: 2, previousOwner: 'w1' }]);
    expect(existsSync(path.join(home, 'workers', 'w1.lock'))).toBe(true);
    await store.enlist('w3', 'host');
    expect(existsSync(path.join(home, 'workers', 'w1.lock'))).toBe(false);
    await store.close();
  });

  test('take turns: of two that write as fast as they can none starves', async () => {
    const entry = await bundle(ENTRY);
    const children = ['one', 'two'].map((run) => startChild(entry, [home, run]));
    await Promise.all(children.map((child) => child.until((line) => line === '1')));
    const [one = [], two = []] = children.map((child) => child.lines);
    const before = [one.length, two.length] as const;
    await Promise.race(children.map((child) => child.until((line) => Number(line) >= 1_500)));
    const ratio = (one.length - before[0]) / (two.length - before[1]);
    await Promise.all(children.map((child) => child.kill()));
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
