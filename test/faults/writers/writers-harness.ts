import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { verifyJournal } from '../../../src/engine/audit/verify-journal.js';
import type { BatchRow, EventRow } from '../../../src/engine/ports.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { nodeHasher } from '../../../src/system/node-hasher.js';
import type { PlantedBug } from '../programs/planted-bugs.js';
import { startAppender } from '../stage/appender-process.js';
import { buildPrograms } from '../stage/build-programs.js';
import { allRows } from '../stage/examine-home.js';
import type { Report } from '../stage/report.js';
import { within } from '../stage/waiting.js';

const READY_MS_MAX = 30_000;
const PAGE = 1_000;
const LANES = 4;
/** Neither writer may starve the other. */
const RATIO = { min: 0.5, max: 2 };

export type WritersOptions = { root: string; commands: number; planted?: PlantedBug };

/** A process that writes on a thread and one that writes on its main thread, on one home, at the same time. */
export async function writersHarness({ root, commands, planted }: WritersOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-writers-'));
  const home = path.join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  try {
    const programs = await buildPrograms(root, path.join(folder, 'programs'));
    const started = (['thread', 'main'] as const).map((writer) =>
      startAppender(programs, folder, {
        home,
        writer,
        name: writer,
        planted: planted ?? null,
        commands,
        lanes: LANES,
        requestBytes: [null],
        waits: true,
      }),
    );
    const writers = started.map(({ process }) => process);
    await within(READY_MS_MAX, () => writers.every(({ isReady, exit }) => isReady || exit));
    for (const { child } of writers) child.stdin?.write('go\n');
    const exits = await Promise.all(writers.map(({ ended }) => ended));
    const failed = writers
      .filter((_, index) => exits[index]?.code !== 0)
      .map(({ name, last }) => `${name}: ${last.at(-1)}`);
    const acknowledged = new Map(started.flatMap(({ acknowledged: own }) => [...own]));
    return await judge(home, commands, acknowledged, failed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(
  home: string,
  commands: number,
  acknowledged: ReadonlyMap<string, string>,
  failed: readonly string[],
): Promise<Report> {
  const store = await openSqliteStore({ home, writer: 'main' });
  try {
    const { ok, findings } = await verifyJournal(store, nodeHasher);
    const rows = await allRows(store);
    const submitted = rows.filter(({ type }) => type === 'ErrandSubmitted').map(({ key }) => key as string);
    const gaps = rows
      .filter(({ position }, index) => position !== index + 1)
      .map(({ position }) => `gap at ${position}`);
    const counts = commitsTogether(rows, await allBatches(store));
    const ratio = counts.thread / counts.main;
    const unfair = ratio >= RATIO.min && ratio <= RATIO.max ? [] : [`one writer starves the other: ratio ${ratio}`];
    const recorded = new Set(submitted);
    return {
      what: `two writers, ${commands} commands each`,
      acknowledged: acknowledged.size,
      lost: [...acknowledged.keys()].filter((key) => !recorded.has(key)),
      twice: submitted.filter((key, index) => submitted.indexOf(key) !== index),
      problems: [...failed, ...gaps, ...unfair, ...(ok ? [] : findings.map(({ says }) => says))],
      notes: [
        `${rows.length} events, positions 1 to ${rows.at(-1)?.position ?? 0} without a gap`,
        `commits while both wrote, thread : main = ${counts.thread} : ${counts.main}, ratio ${ratio.toFixed(2)}`,
      ],
    };
  } finally {
    await store.close();
  }
}

/** Only while both were at it: the last one has the store to itself. */
function commitsTogether(rows: readonly EventRow[], batches: readonly BatchRow[]): { thread: number; main: number } {
  const writers = batches.map(({ firstPosition }) =>
    rows[firstPosition - 1]?.key?.startsWith('thread-') ? 'thread' : 'main',
  );
  const from = Math.max(writers.indexOf('thread'), writers.indexOf('main'));
  const to = Math.min(writers.lastIndexOf('thread'), writers.lastIndexOf('main'));
  const together = writers.slice(from, to + 1);
  const thread = together.filter((writer) => writer === 'thread').length;
  return { thread, main: together.length - thread };
}

async function allBatches(store: SqliteStore): Promise<BatchRow[]> {
  const batches: BatchRow[] = [];
  for (;;) {
    const page = await store.batches(batches.at(-1)?.batch ?? 0, PAGE);
    batches.push(...page);
    if (page.length < PAGE) return batches;
  }
}
