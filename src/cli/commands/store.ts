import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { verifyJournal } from '../../engine/audit/verify-journal.js';
import type { EventStore, RunRow } from '../../engine/ports.js';
import { type Difference, type Rebuilt, rebuildAndCompare } from '../../engine/projections/rebuild.js';
import { refuseBroken } from '../audit-failure.js';
import { counted, grouped } from '../grouped-number.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { type HomeCommand, inHome } from '../opened-home.js';
import { printable, printableJson } from '../printable.js';

const PAGE = 1_000;

/** The journal first: lists can only be compared with events that are as they were written. */
export const runStoreCheck: HomeCommand = ({ values }, io, open) =>
  inHome(open, async ({ store, hasher, machines, folder }) => {
    const json = values.json === true;
    const verified = await verifyJournal(store, hasher);
    if (!verified.ok) throw refuseBroken(io, verified, json);
    const rebuilt = await rebuildAndCompare(store, machines);
    if (!rebuilt.ok) throw refuseDiffering(io, rebuilt, folder, json);
    const { runs, events, batches, position, hash } = verified;
    const { questions, unknown_kinds } = rebuilt;
    if (json)
      io.out(`${printableJson({ ok: true, runs, events, batches, position, hash, questions, unknown_kinds })}\n`);
    else {
      io.out(`${mark(io, 'ok')} ${counted(runs, 'run')}, ${counted(events, 'event')}: every hash as recorded\n`);
      io.out(
        `${mark(io, 'ok')} ${counted(rebuilt.runs, 'row')}, ${counted(questions, 'question')}: as the events say\n`,
      );
      for (const [kind, count] of Object.entries(unknown_kinds)) {
        io.out(`${mark(io, 'note')} ${counted(count, 'run')} of kind ${printable(kind)}: nothing here can fold them\n`);
      }
    }
    return 0;
  });

export const runStoreStats: HomeCommand = ({ values }, io, open) =>
  inHome(open, async ({ store, folder }) => {
    const rows = await allRuns(store);
    const stats = {
      home: folder,
      events: await store.position(),
      batches: await countBatches(store),
      runs: rows.length,
      by_kind: tally(rows, ({ kind }) => kind),
      by_status: tally(rows, ({ status }) => status),
      owing: rows.filter(({ owes }) => owes).length,
      questions_open: await countOpen(store),
      bytes: {
        database: await sizeOf(path.join(folder, 'baton.db')),
        wal: await sizeOf(path.join(folder, 'baton.db-wal')),
        blobs: await sizeOf(path.join(folder, 'blobs')),
      },
    };
    if (values.json) io.out(`${printableJson(stats)}\n`);
    else io.out(`${render(stats).join('\n')}\n`);
    return 0;
  });

type Stats = {
  home: string;
  events: number;
  batches: number;
  runs: number;
  by_kind: Record<string, number>;
  by_status: Record<string, number>;
  owing: number;
  questions_open: number;
  bytes: { database: number; wal: number; blobs: number };
};

function render({ home, events, batches, runs, by_kind, by_status, owing, questions_open, bytes }: Stats): string[] {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${printable(name)} ${grouped(count)}`)
      .join(', ') || '-';
  return [
    `${counted(runs, 'run')}, ${counted(events, 'event')} in ${counted(batches, 'batch')}`,
    `  kinds     ${list(by_kind)}`,
    `  statuses  ${list(by_status)}`,
    `  owing     ${counted(owing, 'run')}, ${counted(questions_open, 'open question')}`,
    `  bytes     database ${grouped(bytes.database)}, wal ${grouped(bytes.wal)}, blobs ${grouped(bytes.blobs)}`,
    `  home      ${printable(home)}`,
    'Check it: baton store check',
  ];
}

function refuseDiffering(io: Io, { differences, more }: Rebuilt, home: string, json: boolean): BatonError {
  const count = more ? `more than ${differences.length} values` : counted(differences.length, 'value');
  if (!json) {
    io.err(`${mark(io, 'bad')} the lists do not say what the events say: ${count}\n`);
    for (const difference of differences) io.err(`  ${printable(describe(difference))}\n`);
  }
  const [first] = differences;
  const reason = first ? describe(first) : 'the lists do not say what the events say';
  return new BatonError('LISTS_DIFFER', reason, { home, run_id: first?.run_id, differences, more });
}

function describe({ list, run_id, item, field, stored, rebuilt }: Difference): string {
  const where = list === 'run' ? `the row of ${run_id}` : `inbox item ${item ?? '(missing)'} of ${run_id}`;
  return `${where} has ${field} ${JSON.stringify(stored)}, its events say ${JSON.stringify(rebuilt)}`;
}

async function allRuns(store: EventStore): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  let after: string | undefined;
  do {
    const page = await store.runs({ parts: true, limit: PAGE, ...(after !== undefined && { after }) });
    rows.push(...page.items);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return rows;
}

async function countBatches(store: EventStore): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const rows = await store.batches(after, PAGE);
    const last = rows.at(-1);
    if (!last) return count;
    count += rows.length;
    after = last.batch;
  }
}

async function countOpen(store: EventStore): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const rows = await store.inbox({ open: true, after, limit: PAGE });
    const last = rows.at(-1);
    if (!last) return count;
    count += rows.length;
    after = last.item;
  }
}

function tally(rows: readonly RunRow[], of: (row: RunRow) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Of a file, or of everything below a folder; 0 where there is nothing. */
async function sizeOf(place: string): Promise<number> {
  const found = await stat(place).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(place);
  const sizes = await Promise.all(names.map((name) => sizeOf(path.join(place, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
