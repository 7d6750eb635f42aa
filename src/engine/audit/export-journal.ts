import type { BatchRow, EventRow, EventStore, RunId } from '../ports.js';

const PAGE = 500;

/** The lines of an export, in this order; docs/audit.md says how they are verified. */
export type ExportLine =
  | { kind: 'baton-journal'; version: 1; run_id: RunId | null }
  | ({ kind: 'event' } & ExportedEvent)
  | { kind: 'batch'; batch: number; first_position: number; events: number; digest: string; hash: string }
  | { kind: 'end'; events: number; batches: number; position: number; hash: string };

/** All columns of the journal, under the names they have there. `data` is the stored text, not a value. */
export type ExportedEvent = Omit<EventRow, 'run'> & { run_id: RunId };

export type Exported = Pick<EventStore, 'feed' | 'events' | 'batches'>;

/** Events in the order of the journal, each batch behind its last event, and a last line that shows it is whole. */
export async function* exportJournal(store: Exported): AsyncGenerator<ExportLine> {
  yield { kind: 'baton-journal', version: 1, run_id: null };
  const batches = new BatchReader(store);
  let position = 0;
  let events = 0;
  for (;;) {
    const rows = await store.feed(position, PAGE);
    const last = rows.at(-1);
    await batches.readTo(last?.position ?? Number.POSITIVE_INFINITY);
    for (const row of rows) {
      yield* batches.before(row.position);
      yield eventLine(row);
    }
    position = last?.position ?? position;
    events += rows.length;
    // A batch is committed with its events: when these cannot be read now, they are gone, and the export shows it.
    if (!last && (!batches.namesMoreThan(position) || (await store.feed(position, 1)).length === 0)) break;
  }
  yield* batches.before(Number.POSITIVE_INFINITY);
  yield { kind: 'end', events, batches: batches.count, position, hash: batches.last?.hash ?? '' };
}

/** One run only: its own chain, without the batches, which cover other runs too. */
export async function* exportRun(store: Exported, run: RunId): AsyncGenerator<ExportLine> {
  yield { kind: 'baton-journal', version: 1, run_id: run };
  let seq = 0;
  let last: EventRow | undefined;
  let events = 0;
  for (let rows = await store.events(run, 0, PAGE); rows.length > 0; rows = await store.events(run, seq, PAGE)) {
    for (const row of rows) yield eventLine(row);
    last = rows.at(-1);
    seq = last?.seq ?? seq;
    events += rows.length;
  }
  yield { kind: 'end', events, batches: 0, position: last?.position ?? 0, hash: last?.hash ?? '' };
}

function eventLine({ run, ...rest }: EventRow): ExportLine {
  const { position, seq, type, data, at, actor, key, epoch, hash } = rest;
  return { kind: 'event', position, run_id: run, seq, type, data, at, actor, key, epoch, hash };
}

/** Hands out each batch when the events it names have passed. */
class BatchReader {
  count = 0;
  last: BatchRow | undefined;
  private lastRead = 0;
  private readonly waiting: BatchRow[] = [];
  private readonly store: Exported;

  constructor(store: Exported) {
    this.store = store;
  }

  /** Reads on until a batch begins behind the position, or there is none. */
  async readTo(position: number): Promise<void> {
    while ((this.waiting.at(-1)?.firstPosition ?? 0) <= position) {
      const rows = await this.store.batches(this.lastRead, PAGE);
      if (rows.length === 0) return;
      this.waiting.push(...rows);
      this.lastRead = rows.at(-1)?.batch ?? this.lastRead;
    }
  }

  namesMoreThan(position: number): boolean {
    return this.waiting.some(({ firstPosition, events }) => firstPosition + events - 1 > position);
  }

  *before(position: number): Generator<ExportLine> {
    for (let row = this.waiting[0]; row && row.firstPosition + row.events <= position; row = this.waiting[0]) {
      this.waiting.shift();
      this.count += 1;
      this.last = row;
      const { batch, firstPosition, events, digest, hash } = row;
      yield { kind: 'batch', batch, first_position: firstPosition, events, digest, hash };
    }
  }
}
