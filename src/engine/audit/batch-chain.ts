import type { Finding } from '../../contracts/api/audit-shapes.js';
import { batchDigest, batchHash, GENESIS } from '../chain.js';
import type { BatchRow, Hash, Hasher } from '../ports.js';
import type { Report } from './finding.js';
import type { Judged } from './run-chains.js';

const PAGE = 500;

export type Batches = (after: number, limit: number) => Promise<readonly BatchRow[]>;

type Collected = { position: number; hash: Hash } & Judged;
/** A batch as it must have been, and the events found for it so far. */
type Sealing = {
  row: BatchRow;
  first: number;
  count: number;
  /** Whether its own columns give its hash. Undefined when the one before is gone, so that nobody can say. */
  intact: boolean | undefined;
  events: Collected[];
};

/**
 * Follows the chain of commits, which fixes every event's position. A batch's columns are judged by its own hash, and
 * its events by its digest, so that the one can be told from the other.
 */
export class BatchChain {
  /** Batches whose events were all seen. */
  count = 0;
  last: BatchRow | undefined;
  private heads: readonly Hash[] | undefined = [GENESIS];
  private nextPosition = 1;
  private lastRead = 0;
  private readonly waiting: BatchRow[] = [];
  private sealing: Sealing | undefined;
  private readonly hasher: Hasher;
  private readonly batches: Batches;
  private readonly report: Report;
  private readonly onBatch: (row: BatchRow, lastPosition: number) => void;

  constructor(
    hasher: Hasher,
    batches: Batches,
    report: Report,
    onBatch: (row: BatchRow, lastPosition: number) => void = () => {},
  ) {
    this.hasher = hasher;
    this.batches = batches;
    this.report = report;
    this.onBatch = onBatch;
  }

  async add(run: string, event: Collected): Promise<void> {
    for (;;) {
      const sealing = await this.current();
      if (!sealing || event.position < sealing.first) return this.unsealed(run, event.position, sealing);
      if (event.position < sealing.first + sealing.count) {
        sealing.events.push(event);
        if (event.position === sealing.first + sealing.count - 1) this.close(sealing);
        return;
      }
      this.close(sealing);
    }
  }

  /** Whether it names events that were not seen yet. */
  async expectsMore(): Promise<boolean> {
    return (await this.current()) !== undefined;
  }

  /** No more events: what is named and did not come is missing. */
  async finish(): Promise<void> {
    for (let sealing = await this.current(); sealing; sealing = await this.current()) {
      if (this.closeShorter(sealing)) continue;
      const from = sealing.first + sealing.events.length;
      const to = sealing.first + sealing.count - 1;
      const says = `the journal ends before ${positions(from, to)} of batch ${sealing.row.batch}`;
      this.report({ kind: 'event-missing', says, batch: sealing.row.batch, position: from, last_position: to });
      this.close(sealing);
    }
  }

  /** Nothing follows the last batch that would say where it ends: its hash does. */
  private closeShorter(sealing: Sealing): boolean {
    const { row, first, events } = sealing;
    if (sealing.intact !== false || !this.fits(row, { events: events.length })) return false;
    this.altered(row, first, 'events');
    this.close({ ...sealing, count: events.length, intact: true });
    return true;
  }

  private unsealed(run: string, position: number, sealing: Sealing | undefined): void {
    if (sealing && sealing.intact === undefined) return; // lies in the batch that was reported missing
    const says = `the event at position ${position} lies in no batch`;
    this.report({ kind: 'event-unsealed', says, run_id: run, position });
  }

  private async current(): Promise<Sealing | undefined> {
    if (this.sealing) return this.sealing;
    await this.lookAhead();
    const row = this.waiting.shift();
    if (row) this.sealing = this.open(row, this.waiting[0]);
    return this.sealing;
  }

  private async lookAhead(): Promise<void> {
    if (this.waiting.length >= 2) return;
    const more = await this.batches(this.lastRead, PAGE);
    this.waiting.push(...more);
    this.lastRead = more.at(-1)?.batch ?? this.lastRead;
  }

  private open(row: BatchRow, next: BatchRow | undefined): Sealing {
    const due = (this.last?.batch ?? 0) + 1;
    if (row.batch !== due && !this.fits(row, {})) return this.openBehindGap(row, due);
    if (row.batch !== due) this.altered(row, this.nextPosition, 'batch');
    const range = { first: row.firstPosition, count: row.events };
    if (this.fits(row, {})) return { row, ...range, intact: true, events: [] };
    const first = this.nextPosition;
    if (first !== row.firstPosition && this.fits(row, { firstPosition: first })) {
      this.altered(row, first, 'first_position');
      return { row, first, count: row.events, intact: true, events: [] };
    }
    const events = next ? next.firstPosition - row.firstPosition : 0;
    if (events > 0 && this.fits(row, { events })) {
      this.altered(row, row.firstPosition, 'events');
      return { row, first: row.firstPosition, count: events, intact: true, events: [] };
    }
    return { row, ...range, intact: false, events: [] };
  }

  private openBehindGap(row: BatchRow, due: number): Sealing {
    const to = row.firstPosition - 1;
    const says = `batch ${due} is missing (${positions(this.nextPosition, to)})`;
    const finding: Finding = { kind: 'batch-missing', says, batch: due, position: this.nextPosition };
    this.report(to > this.nextPosition ? { ...finding, last_position: to } : finding);
    this.heads = undefined;
    return { row, first: row.firstPosition, count: row.events, intact: undefined, events: [] };
  }

  private close(sealing: Sealing): void {
    const { row, first, count, events } = sealing;
    this.judge(sealing);
    const right = this.heads?.map((head) => batchHash(this.hasher, head, first, count, row.digest)) ?? [];
    this.heads = [row.hash, ...right.filter((hash) => hash !== row.hash)];
    this.nextPosition = first + count;
    this.last = row;
    this.sealing = undefined;
    if (events.length === count) this.count += 1;
    this.onBatch(row, this.nextPosition - 1);
  }

  private judge(sealing: Sealing): void {
    const { row, first, count, intact, events } = sealing;
    const found = this.digest(events.map(({ hash }) => hash));
    if (found === row.digest) {
      if (intact === false) this.altered(row, first, 'hash');
      return;
    }
    if (intact === false) {
      const digestOnly = this.fits(row, { firstPosition: first, events: count, digest: found });
      this.altered(row, first, digestOnly ? 'digest' : undefined);
      return;
    }
    const suspects = events.filter(({ rightHash }) => rightHash !== undefined);
    if (suspects.length > 0 && this.digest(events.map(({ hash, rightHash }) => rightHash ?? hash)) === row.digest) {
      for (const { suspect } of suspects) if (suspect) suspect.column = 'hash';
      return;
    }
    if (events.length !== count) return; // the missing positions were reported
    const last = first + count - 1;
    const says = `the events at ${positions(first, last)} are not those of batch ${row.batch}, or in another order`;
    this.report({ kind: 'batch-differs', says, batch: row.batch, position: first, last_position: last });
  }

  private fits(row: BatchRow, but: Partial<BatchRow>): boolean {
    const { firstPosition, events, digest, hash } = { ...row, ...but };
    return (this.heads ?? []).some((head) => batchHash(this.hasher, head, firstPosition, events, digest) === hash);
  }

  private altered(row: BatchRow, position: number, column: string | undefined): void {
    const says = `batch ${row.batch} does not have the hash it was given (from position ${position})`;
    this.report({ kind: 'batch-altered', says, batch: row.batch, position, ...(column && { column }) });
  }

  private digest(hashes: readonly Hash[]): Hash {
    return batchDigest(this.hasher, hashes);
  }
}

function positions(from: number, to: number): string {
  return from >= to ? `position ${from}` : `positions ${from} to ${to}`;
}
