import type { Finding } from '../../contracts/api/audit-shapes.js';
import type { EventRow, EventStore, Hash, Hasher } from '../ports.js';
import { BatchChain } from './batch-chain.js';
import { checkRunRows, type RunRows } from './check-run-rows.js';
import { FINDINGS_MAX } from './finding.js';
import { RunChains } from './run-chains.js';

const PAGE = 500;

/** What is verified: a store, or an export of one, which has no run rows. */
export type JournalSource = Pick<EventStore, 'feed' | 'batches'> & Partial<RunRows>;

/** A batch that must be in the journal exactly so. */
export type KnownHead = { batch: number; position: number; hash: Hash };

export type Verification = {
  ok: boolean;
  runs: number;
  events: number;
  batches: number;
  /** The last position, and the hash of the batch that ends there. */
  position: number;
  hash: Hash;
  findings: readonly Finding[];
  /** There is more wrong than is listed. */
  more: boolean;
};

/**
 * Computes every hash again from what is stored, page by page, while others may go on writing: events and batches are
 * followed until neither names more than the other.
 */
export async function verifyJournal(
  source: JournalSource,
  hasher: Hasher,
  { head }: { head?: KnownHead } = {},
): Promise<Verification> {
  const walk = new Walk(source, hasher, head);
  await walk.events();
  await walk.runRows();
  return walk.result();
}

/** One run by itself: positions have gaps then, so its own chain is all there is to verify. */
export async function verifyRun(
  rows: AsyncIterable<EventRow> | Iterable<EventRow>,
  hasher: Hasher,
): Promise<Verification> {
  const findings: Finding[] = [];
  const chains = new RunChains(hasher, (finding) => findings.push(finding));
  let last: EventRow | undefined;
  let events = 0;
  for await (const row of rows) {
    chains.accept(row);
    last = row;
    events += 1;
  }
  const counts = { runs: chains.links.size, events, batches: 0, position: last?.position ?? 0, hash: last?.hash ?? '' };
  return { ok: findings.length === 0, ...counts, ...firstOf(findings) };
}

class Walk {
  private readonly findings: Finding[] = [];
  private readonly chains: RunChains;
  private readonly batches: BatchChain;
  private readonly source: JournalSource;
  private readonly hasher: Hasher;
  private position = 0;
  private count = 0;
  private missingHead: KnownHead | undefined;

  constructor(source: JournalSource, hasher: Hasher, head: KnownHead | undefined) {
    this.source = source;
    this.hasher = hasher;
    this.missingHead = head && head.batch > 0 ? head : undefined;
    const report = (finding: Finding): void => void this.findings.push(finding);
    this.chains = new RunChains(hasher, report);
    const { missingHead } = this;
    this.batches = new BatchChain(
      hasher,
      (after, limit) => source.batches(after, limit),
      report,
      (row, last) => {
        if (row.batch === missingHead?.batch && row.hash === missingHead.hash && last === missingHead.position) {
          this.missingHead = undefined;
        }
      },
    );
  }

  async events(): Promise<void> {
    while (!this.isEnough()) {
      const rows = await this.source.feed(this.position, PAGE);
      for (const row of rows) await this.accept(row);
      if (rows.length > 0) continue;
      if (!(await this.batches.expectsMore())) break;
      // A batch seen now was committed together with its events: either they can be read now, or they are gone.
      if ((await this.source.feed(this.position, 1)).length === 0) {
        await this.batches.finish();
        break;
      }
    }
    this.judgeHead();
  }

  async runRows(): Promise<void> {
    const { runs, load } = this.source;
    if (!runs || !load || this.isEnough()) return;
    const rows: RunRows = {
      runs: (filter) => runs.call(this.source, filter),
      load: (...of) => load.call(this.source, ...of),
    };
    await checkRunRows(rows, this.hasher, this.chains, (finding) => void this.findings.push(finding));
  }

  result(): Verification {
    const { last, count: batches } = this.batches;
    return {
      ok: this.findings.length === 0,
      runs: this.chains.links.size,
      events: this.count,
      batches,
      position: this.position,
      hash: last?.hash ?? '',
      ...firstOf(this.findings),
    };
  }

  private async accept(row: EventRow): Promise<void> {
    const due = this.position + 1;
    if (row.position !== due) this.reportGap(due, row.position - 1);
    const judged = this.chains.accept(row);
    await this.batches.add(row.run, { position: row.position, hash: row.hash, ...judged });
    this.position = row.position;
    this.count += 1;
  }

  private reportGap(from: number, to: number): void {
    const says = from === to ? `there is no event at position ${from}` : `there are no events at ${from} to ${to}`;
    this.findings.push({ kind: 'event-missing', says, position: from, ...(to > from && { last_position: to }) });
  }

  private judgeHead(): void {
    const head = this.missingHead;
    if (!head || this.isEnough()) return;
    const says = `the journal does not contain the signed head at position ${head.position} (batch ${head.batch})`;
    this.findings.push({ kind: 'head-not-contained', says, position: head.position, batch: head.batch });
  }

  private isEnough(): boolean {
    return this.findings.length > FINDINGS_MAX;
  }
}

function firstOf(findings: readonly Finding[]): Pick<Verification, 'findings' | 'more'> {
  return { findings: findings.slice(0, FINDINGS_MAX), more: findings.length > FINDINGS_MAX };
}
