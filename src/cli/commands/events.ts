import type { Looking } from '../../engine/desk.js';
import type { EventRow } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { type LookingCommand, type OpenLooking, whileLooking } from '../opened-desk.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { eventJsonLine, eventLine } from '../show-event.js';
import { untilStopped } from '../until-stopped.js';
import { Wakeups } from '../wakeups.js';

const PAGE = 500;
const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 10_000;
const POSITION_MAX = Number.MAX_SAFE_INTEGER;
/** How often somebody looks whether there is a store by now. */
const LOOK_AGAIN_MS = 200;

export const runEvents: LookingCommand = async (parsed, io, open) => {
  const after = countOption(parsed, 'after', { min: 0, max: POSITION_MAX }) ?? 0;
  const limit = countOption(parsed, 'limit', { min: 1, max: LIMIT_MAX });
  const run = textOption(parsed, 'run');
  if (parsed.values.follow) return followEvents(io, open, { after, limit, run, json: parsed.values.json === true });
  return whileLooking(open, async ({ store }) => {
    const id = run === undefined ? undefined : (await findRun(store, run)).run;
    const { rows, more } = await firstRows(store, id, after, limit ?? LIMIT_DEFAULT);
    print(parsed, io, rows, more);
    return 0;
  });
};

function print({ values }: Parsed, io: Io, rows: readonly EventRow[], more: boolean): void {
  const next = more ? String(rows.at(-1)?.position) : null;
  if (values.json) {
    io.out(`${printableJson({ items: rows.map(eventObject), next })}\n`);
    return;
  }
  for (const row of rows) io.out(`${eventLine(row)}\n`);
  if (rows.length === 0) io.err('No events.\n');
  const of = typeof values.run === 'string' ? ` --run ${printable(values.run)}` : '';
  if (next !== null) io.err(`More: baton events${of} --after ${next}\n`);
}

async function firstRows(
  store: Looking['store'],
  run: string | undefined,
  after: number,
  limit: number,
): Promise<{ rows: readonly EventRow[]; more: boolean }> {
  const rows: EventRow[] = [];
  for await (const row of rowsBehind(store, run, { after, seq: 0 })) {
    if (rows.length === limit) return { rows, more: true };
    rows.push(row);
  }
  return { rows, more: false };
}

/** Where reading stands: the position for all runs, the number for one of them. */
type Cursor = { after: number; seq: number };

/** Everything there is behind the cursor, which moves along. */
async function* rowsBehind(store: Looking['store'], run: string | undefined, cursor: Cursor): AsyncGenerator<EventRow> {
  for (;;) {
    const rows = run === undefined ? await store.feed(cursor.after, PAGE) : await store.events(run, cursor.seq, PAGE);
    for (const row of rows) {
      const isNew = row.position > cursor.after;
      Object.assign(cursor, { seq: row.seq, after: Math.max(cursor.after, row.position) });
      if (isNew) yield row;
    }
    if (rows.length < PAGE) return;
  }
}

type Following = { after: number; limit: number | undefined; run: string | undefined; json: boolean };

async function followEvents(io: Io, open: OpenLooking, { after, limit, run, json }: Following): Promise<number> {
  const stop = untilStopped();
  try {
    const home = await openWhenStored(open, stop.signal);
    if (!home) return exitCode(stop.why());
    try {
      const id = run === undefined ? undefined : (await findRun(home.store, run)).run;
      const cursor: Cursor = { after, seq: 0 };
      let left = limit ?? Number.POSITIVE_INFINITY;
      const woken = new Wakeups(home.store, stop.signal);
      do {
        for await (const row of rowsBehind(home.store, id, cursor)) {
          if (stop.signal.aborted || left === 0) break;
          io.out(json ? eventJsonLine(row) : `${eventLine(row)}\n`);
          left -= 1;
        }
      } while (left > 0 && (await woken.next()));
      woken.end();
      return exitCode(stop.why());
    } finally {
      await home.close();
    }
  } finally {
    stop.forget();
  }
}

/** Who follows before the first run was made waits for it; the waiting makes nothing. */
async function openWhenStored(open: OpenLooking, signal: AbortSignal): Promise<Looking | undefined> {
  while (!signal.aborted) {
    const home = await open();
    if (home.stored) return home;
    await new Promise<void>((resolve) => {
      const cancel = home.clock.after(LOOK_AGAIN_MS, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
    await home.close();
  }
  return undefined;
}

function exitCode(why: ReturnType<ReturnType<typeof untilStopped>['why']>): number {
  return why === 'interrupted' ? 130 : 0;
}
