import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportJournal } from '../../src/engine/audit/export-journal.js';
import { readExport, verifyExport } from '../../src/engine/audit/read-export.js';
import { verifyJournal } from '../../src/engine/audit/verify-journal.js';
import type { BatchRow, EventRow, EventStore, Loaded, RunRow } from '../../src/engine/ports.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { openHome } from '../../src/wiring.js';
import { makeErrands, SEVERAL } from './errand-home.js';

let home: string;
let rows: readonly EventRow[];
let batches: readonly BatchRow[];
let runs: readonly RunRow[];

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-live-'));
  await makeErrands(home, { orders: SEVERAL });
  const { store, close } = await openHome({ home, env: {}, writer: 'main', readOnly: true });
  rows = await store.feed(0, 10_000);
  batches = await store.batches(0, 10_000);
  runs = (await store.runs({ limit: 100 })).items;
  await close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/**
 * A journal to which others commit while it is read: after every look at its events, or just between finding no more
 * events and looking for more batches.
 */
function growing(
  when: 'after events' | 'before batches',
): Pick<EventStore, 'feed' | 'batches' | 'events' | 'runs' | 'load'> {
  let committed = 1;
  let sawTheEnd = false;
  const grow = (): void => {
    committed = Math.min(committed + 1, batches.length);
  };
  const end = (): number => (batches[committed - 1]?.firstPosition ?? 0) + (batches[committed - 1]?.events ?? 0);
  return {
    async feed(after, limit) {
      const page = rows.filter(({ position }) => position > after && position < end()).slice(0, limit);
      sawTheEnd = page.length === 0;
      if (when === 'after events') grow();
      return page;
    },
    async batches(after, limit) {
      if (when === 'before batches' && sawTheEnd) grow();
      return batches.slice(after, Math.min(committed, after + limit));
    },
    events: async (run, after) => rows.filter((row) => row.run === run && row.seq > after),
    runs: async () => ({ items: runs, next: null }),
    async load(run, after = 0) {
      const row = runs.find((one) => one.run === run) as RunRow;
      return { ...row, tail: rows.filter((one) => one.run === run && one.seq > after) } as Loaded;
    },
  };
}

describe('a journal that grows while it is read', () => {
  test.each(['after events', 'before batches'] as const)('%s verifies, and is followed to its end', async (when) => {
    const verified = await verifyJournal(growing(when), nodeHasher);
    expect(verified).toMatchObject({ ok: true, findings: [], batches: batches.length, events: rows.length });
  });

  test('verifies when only its runs have moved on meanwhile', async () => {
    const first = batches[2] as BatchRow;
    const seen = rows.filter(({ position }) => position < first.firstPosition);
    const source = {
      ...growing('after events'),
      feed: async (after: number) => seen.filter(({ position }) => position > after),
      batches: async (after: number) => batches.slice(after, 2),
    };
    expect(await verifyJournal(source, nodeHasher)).toMatchObject({ ok: true, events: seen.length });
  });

  test.each(['after events', 'before batches'] as const)(
    '%s is exported to its end, and the export verifies',
    async (when) => {
      async function* lines(): AsyncGenerator<string> {
        for await (const line of exportJournal(growing(when))) yield JSON.stringify(line);
      }
      const verified = await verifyExport(await readExport(lines()), nodeHasher);
      expect(verified).toMatchObject({ ok: true, findings: [], events: rows.length });
    },
  );
});

describe('a head that must be contained', () => {
  const head = (but: object) => ({ batch: 3, position: 0, hash: '', ...but });

  test.each([
    ['with everything as it is', () => ({}), true],
    ['with another hash', () => ({ hash: 'ab' }), false],
    ['at another position', () => ({ position: 1 }), false],
    ['of a later batch', () => ({ batch: 99 }), false],
  ])('%s is or is not found', async (_, but, ok) => {
    const third = batches[2] as BatchRow;
    const right = { position: third.firstPosition + third.events - 1, hash: third.hash };
    const whole = {
      feed: async (after: number) => rows.filter(({ position }) => position > after),
      batches: async (after: number) => batches.slice(after),
    };
    const verified = await verifyJournal(whole, nodeHasher, { head: head({ ...right, ...but() }) });
    expect(verified.ok).toBe(ok);
  });
});
