import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type JournalSource, verifyJournal } from '../../../src/engine/audit/verify-journal.js';
import type { EventStore, Hasher } from '../../../src/engine/ports.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import { appendNext } from '../../conformance/store/sealed.js';
import { Seeded } from '../../simulation/seeded.js';
import { collectGarbage } from '../stage/collect-garbage.js';
import { allRows } from '../stage/examine-home.js';
import { memoryFolder } from '../stage/memory-folder.js';
import type { Report } from '../stage/report.js';

const RUNS = 3;
const EVENTS_PER_RUN = 4;
const BATCHES_MAX = 1_000;
const COLLECT_EVERY = 500;

type Verify = (source: JournalSource, hasher: Hasher) => Promise<{ ok: boolean }>;
export type FlipOptions = {
  seed: number;
  /** One bit in each byte, or in each so many-th. */
  every: number;
  /** What is asked whether the journal is whole. */
  verify?: Verify;
};

type Seen = 'refused at open' | 'found by verify' | 'journal unchanged' | 'accepted although changed' | 'no code';

/**
 * One bit of a small store is turned over, then the store is opened and its journal verified. Either one of them says
 * so, or everything in the journal reads as before: the byte held no data of it.
 */
export async function flipHarness({ seed, every, verify = verifyJournal }: FlipOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(memoryFolder(), 'baton-flips-'));
  try {
    const whole = path.join(folder, 'whole');
    await makeStore(whole);
    const bytes = readFileSync(path.join(whole, 'baton.db'));
    const before = await contentOf(whole);
    const chance = new Seeded(seed);
    const counts = new Map<Seen, number>();
    const accepted: string[] = [];
    const untyped: string[] = [];
    for (let offset = 0; offset < bytes.length; offset += every) {
      const bit = 1 << chance.below(8);
      const home = path.join(folder, 'flipped');
      mkdirSync(home, { mode: 0o700 });
      const flipped = Buffer.from(bytes);
      flipped[offset] = (flipped[offset] ?? 0) ^ bit;
      writeFileSync(path.join(home, 'baton.db'), flipped, { mode: 0o600 });
      const seen = await look(home, before, verify);
      counts.set(seen, (counts.get(seen) ?? 0) + 1);
      if (seen === 'accepted although changed') accepted.push(`byte ${offset}, bit ${bit}: accepted although changed`);
      if (seen === 'no code') untyped.push(`byte ${offset}, bit ${bit}: refused without a code`);
      rmSync(home, { recursive: true });
      if (offset % COLLECT_EVERY < every) await collectGarbage();
    }
    const tried = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return {
      what: `bit flips, ${tried} of ${bytes.length} bytes, seed ${seed}`,
      acknowledged: RUNS * EVENTS_PER_RUN,
      lost: accepted,
      twice: [],
      problems: untyped,
      notes: [...counts].map(([what, count]) => `${what}: ${count}`),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function look(home: string, before: string, verify: Verify): Promise<Seen> {
  let store: Awaited<ReturnType<typeof openSqliteStore>>;
  try {
    store = await openSqliteStore({ home, writer: 'main' });
  } catch (problem) {
    return problem instanceof Error && 'code' in problem ? 'refused at open' : 'no code';
  }
  try {
    const { ok } = await verify(store, nodeHasher);
    if (!ok) return 'found by verify';
    return (await journalOf(store)) === before ? 'journal unchanged' : 'accepted although changed';
  } catch (problem) {
    return problem instanceof Error && 'code' in problem ? 'found by verify' : 'no code';
  } finally {
    await store.close().catch(() => undefined); // a damaged file cannot be checkpointed
  }
}

async function makeStore(home: string): Promise<void> {
  mkdirSync(home, { mode: 0o700 });
  const store = await openSqliteStore({ home, writer: 'main' });
  for (let event = 0; event < EVENTS_PER_RUN; event += 1) {
    for (let run = 0; run < RUNS; run += 1) {
      await appendNext(store, `run-${run}`, { key: `key-${run}-${event}`, data: [JSON.stringify({ event })] });
    }
  }
  await store.close();
}

async function contentOf(home: string): Promise<string> {
  const copy = `${home}-copy`;
  mkdirSync(copy, { mode: 0o700 });
  copyFileSync(path.join(home, 'baton.db'), path.join(copy, 'baton.db'));
  const store = await openSqliteStore({ home: copy, writer: 'main' });
  try {
    return await journalOf(store);
  } finally {
    await store.close();
  }
}

async function journalOf(store: EventStore): Promise<string> {
  return JSON.stringify([await allRows(store), await store.batches(0, BATCHES_MAX)]);
}
