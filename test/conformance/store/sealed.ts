import { createHash } from 'node:crypto';
import { eventHash, GENESIS } from '../../../src/engine/chain.js';
import type { Append, Appended, EventStore, Hasher, SealedBody, SealedEvent } from '../../../src/engine/ports.js';
import type { Scrubbed } from '../../../src/engine/scrub.js';

export const HASHER: Hasher = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

export const SUMMARY: Append['summary'] = {
  status: 'RUNNING',
  title: 'Fix the login',
  agent: 'scripted',
  project: 'shop',
  parent: null,
  owes: false,
  wakeAtMs: null,
  waitingFor: null,
  ended: false,
  costMicroUsd: 0,
  tokens: 0,
  activeMs: 0,
  handoffs: 0,
};

export type Given = Partial<Omit<Append, 'events' | 'summary'>> & {
  summary?: Partial<Append['summary']>;
  /** The data of each event. */
  data?: readonly string[];
  key?: string | null;
};

/** What the engine would hand over for the next events of a run, after `prev` and `expected`. */
export function seal(run: string, given: Given = {}): Append {
  const { data = ['{}'], summary, key = null, expected = 0, prev = GENESIS, ...rest } = given;
  const at = '2026-01-02T03:04:05.678Z';
  let head = prev;
  const events = data.map((text, index): SealedEvent => {
    const row = { run, seq: expected + 1 + index, type: 'Stepped', at, actor: 'tester', key };
    head = eventHash(HASHER, head, { ...row, epoch: given.fence ?? null, data: text });
    return { seq: row.seq, type: row.type, at, actor: row.actor, key, data: text as Scrubbed, hash: head };
  });
  const inbox = { open: [], close: [] };
  return { kind: 'job', bodies: [], inbox, ...rest, run, expected, prev, events, summary: { ...SUMMARY, ...summary } };
}

/** Reads where the run is and appends behind it. */
export async function appendNext(store: EventStore, run: string, given: Given = {}): Promise<Appended> {
  const loaded = await store.load(run, Number.MAX_SAFE_INTEGER);
  const from = { expected: loaded?.version ?? 0, prev: loaded?.head ?? GENESIS };
  return appendOne(store, seal(run, { ...from, ...given }));
}

export async function appendOne(store: EventStore, append: Append): Promise<Appended> {
  const [appended] = await store.append([append]);
  if (!appended) throw new Error('an append without an answer');
  return appended;
}

export function body(bytes: Uint8Array): SealedBody {
  return { sha256: HASHER.sha256(bytes), bytes };
}
