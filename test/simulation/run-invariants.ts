import { SYSTEM_RUN } from '../../src/core/kernel/system-run.js';
import { eventHash, GENESIS } from '../../src/engine/chain.js';
import type { AnyEvent, Machine } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { errandInvariants } from './errand-invariants.js';
import { jobInvariants } from './job-invariants.js';
import { type Kind, kindOf } from './kinds.js';
import { nodeHasher } from './node-hasher.js';
import { sessionInvariants } from './session-invariants.js';
import { systemInvariants } from './system-invariants.js';
import type { KindInvariants, Told } from './told.js';

const KINDS: Readonly<Record<Kind, KindInvariants>> = {
  errand: errandInvariants,
  job: jobInvariants,
  session: sessionInvariants,
};

/** What must hold for one run of any kind, and what must hold for its kind. */
export function runProblems(journal: MemoryJournal, run: string, asked: readonly string[]): string[] {
  const rows = journal.eventsOf(run);
  const events = rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as AnyEvent);
  const told: Told = { run, rows, events, journal };
  const { machine, problems } = run === SYSTEM_RUN ? systemInvariants : KINDS[kindOf(run)];
  return [
    ...chainProblems(rows),
    ...paymentProblems(told, asked),
    ...repeatProblems(rows),
    ...bodyProblems(told),
    ...projectionProblems(told, machine),
    ...problems(told),
  ].map((problem) => `${run}: ${problem}`);
}

function chainProblems(rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  let head = GENESIS;
  let epoch = 0;
  rows.forEach((row, index) => {
    if (row.seq !== index + 1) problems.push(`event ${row.seq} stands at ${index + 1}`);
    if (eventHash(nodeHasher, head, row) !== row.hash) problems.push(`the chain breaks at ${row.seq}`);
    head = row.hash;
    if (row.epoch !== null && row.epoch < epoch) problems.push(`a former owner wrote event ${row.seq}`);
    if ((row.actor === 'engine') !== (row.epoch !== null)) problems.push(`${row.actor} wrote ${row.type} as owner`);
    epoch = Math.max(epoch, row.epoch ?? 0);
  });
  return problems;
}

/** What an agent was paid is recorded at most once, and never for an ask that nobody was asked. */
function paymentProblems({ run, events }: Told, asked: readonly string[]): string[] {
  const paid = events.filter((event) => costOf(event) > 0).length;
  const worked = asked.filter((ask) => ask.startsWith(`${run} `)).length;
  return paid > worked ? [`paid ${paid} times for ${worked} asks`] : [];
}

function costOf(event: AnyEvent): number {
  return (event as { usage?: { costMicroUsd: number } }).usage?.costMicroUsd ?? 0;
}

/** A keyed command takes effect once; its events stand together, and no two of them are alike. */
function repeatProblems(rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, { seq: number; types: Set<string> }>();
  for (const { key, seq, type, actor, data } of rows) {
    if (key === null) continue;
    const { id = '', call = '' } = JSON.parse(data) as { id?: string; call?: string };
    const what = `${type} ${id} ${call}`;
    const last = seen.get(key) ?? { seq: seq - 1, types: new Set() };
    if (last.seq !== seq - 1 || last.types.has(what)) problems.push(`${type} of ${key} by ${actor} is recorded twice`);
    seen.set(key, { seq, types: last.types.add(what) });
  }
  return problems;
}

function bodyProblems({ events, journal }: Told): string[] {
  return events
    .flatMap(bodiesIn)
    .filter((sha256) => !journal.bodies.has(sha256))
    .map((sha256) => `the body ${sha256} is not there`);
}

/** Every address of a body anywhere in an event. */
function bodiesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { sha256 } = value as { sha256?: unknown };
  return [...(typeof sha256 === 'string' ? [sha256] : []), ...Object.values(value).flatMap(bodiesIn)];
}

/** The row in lists, the inbox and the snapshot say what the events say. */
function projectionProblems({ run, events, journal }: Told, machine: Machine): string[] {
  const problems: string[] = [];
  const snapshot = journal.snapshots.get(run);
  const questions = new Map<string, boolean>();
  let state = machine.initialState();
  events.forEach((event, index) => {
    state = machine.evolve(state, event);
    const change = machine.inbox(event);
    if (change) questions.set('open' in change ? change.open.key : change.close, 'open' in change);
    if (snapshot?.version !== index + 1) return;
    const kept = machine.snapshot?.encode(state) ?? state;
    const expected = snapshot.machineVersion === machine.version ? kept : { packed: kept };
    if (snapshot.state !== JSON.stringify(expected)) {
      problems.push(`the snapshot at ${snapshot.version} is of another state`);
    }
  });
  const row = journal.runs.get(run);
  const expected = { ...machine.summary(state), version: events.length };
  const stored = Object.fromEntries(Object.keys(expected).map((name) => [name, row?.[name as keyof typeof row]]));
  if (JSON.stringify(stored) !== JSON.stringify(expected)) problems.push(`its row says ${JSON.stringify(stored)}`);
  const inbox = journal.inbox
    .filter((item) => item.run === run)
    .map(({ key, answeredAt }) => [key, answeredAt === null]);
  if (JSON.stringify(inbox) !== JSON.stringify([...questions]))
    problems.push(`its inbox says ${JSON.stringify(inbox)}`);
  return problems;
}
