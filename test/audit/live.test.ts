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

/** A journal that grows by one batch with every call: whoever reads it never sees the same end twice. */
function growing(): Pick<EventStore, 'feed' | 'batches' | 'events' | 'runs' | 'load'> {
  let committed = 1;
  const visible = (): readonly EventRow[] => {
    const last = batches[committed - 1];
    return rows.filter(({ position }) => position < (last?.firstPosition ?? 0) + (last?.events ?? 0));
  };
  const grow = <T>(answer: T): T => {
    committed = Math.min(committed + 1, batches.length);
    return answer;
  };
  const tail = (run: string, after: number): EventRow[] =>
    visible().filter((row) => row.run === run && row.seq > after);
  return {
    feed: async (after, limit) =>
      grow(
        visible()
          .filter(({ position }) => position > after)
          .slice(0, limit),
      ),
    batches: async (after, limit) => grow(batches.slice(after, Math.min(committed, after + limit))),
    events: async (run, after) => grow(tail(run, after)),
    runs: async () => grow({ items: runs, next: null }),
    load: async (run, after = 0) => {
      const row = runs.find((one) => one.run === run) as RunRow;
      return grow({ ...row, tail: rows.filter((one) => one.run === run && one.seq > after) } as Loaded);
    },
  };
}

describe('a journal that grows while it is read', () => {
  test('verifies, and is followed to its end', async () => {
    const verified = await verifyJournal(growing(), nodeHasher);
    expect(verified).toMatchObject({ ok: true, findings: [], batches: batches.length, events: rows.length });
  });

  test('verifies when only its runs have moved on meanwhile', async () => {
    const first = batches[2] as BatchRow;
    const seen = rows.filter(({ position }) => position < first.firstPosition);
    const source = {
      ...growing(),
      feed: async (after: number) => seen.filter(({ position }) => position > after),
      batches: async (after: number) => batches.slice(after, 2),
    };
    expect(await verifyJournal(source, nodeHasher)).toMatchObject({ ok: true, events: seen.length });
  });

  test('is exported as it was at one moment, and the export verifies', async () => {
    async function* lines(): AsyncGenerator<string> {
      for await (const line of exportJournal(growing())) yield JSON.stringify(line);
    }
    const verified = await verifyExport(await readExport(lines()), nodeHasher);
    expect(verified).toMatchObject({ ok: true, findings: [] });
    expect(verified.events).toBeGreaterThan(0);
  });
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
