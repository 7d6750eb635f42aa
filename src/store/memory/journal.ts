/**
 * The journal of the memory store: one world that several simulated processes share. It keeps exactly what a disk
 * would keep, and applies a group in one step, as one transaction does.
 */

import { batchDigest, batchHash, GENESIS } from '../../engine/chain.js';
import type {
  Append,
  Appended,
  BatchRow,
  Claim,
  EventRow,
  Hash,
  Hasher,
  InboxRow,
  RunId,
  RunRow,
  Snapshot,
  WorkerId,
} from '../../engine/ports.js';

type Run = RunRow & { createdPosition: number; text: string };
type Dedupe = { payload: Hash; answer: string };

export class MemoryJournal {
  readonly rows: EventRow[] = [];
  readonly batches: BatchRow[] = [];
  readonly runs = new Map<RunId, Run>();
  readonly bodies = new Map<Hash, Uint8Array>();
  readonly snapshots = new Map<RunId, Snapshot>();
  readonly inbox: InboxRow[] = [];
  readonly listeners = new Set<() => void>();
  /** Workers whose process is alive, with their beat counters. */
  readonly workers = new Map<WorkerId, number>();
  /** By run and task, when somebody was last heard to work on it. */
  readonly beats = new Map<RunId, Map<string, number>>();
  private readonly byRun = new Map<RunId, EventRow[]>();
  private readonly answers = new Map<string, Dedupe>();
  private readonly hasher: Hasher;

  constructor(hasher: Hasher) {
    this.hasher = hasher;
  }

  recorded(scope: string, key: string): Dedupe | undefined {
    return this.answers.get(JSON.stringify([scope, key]));
  }

  eventsOf(run: RunId): readonly EventRow[] {
    return this.byRun.get(run) ?? [];
  }

  /** Looks at the whole group first and writes all of it or nothing. */
  commit(group: readonly Append[]): Appended[] {
    const objections = group.map((unit) => this.objection(unit));
    if (objections.some((objection) => objection !== undefined)) {
      return group.map((unit, index) => objections[index] ?? { type: 'conflict', version: this.versionOf(unit.run) });
    }
    const first = this.rows.length + 1;
    const written = group.map((unit): Appended => this.write(unit));
    this.closeBatch(first);
    for (const listener of [...this.listeners]) listener();
    return written;
  }

  private versionOf(run: RunId): number {
    return this.runs.get(run)?.version ?? 0;
  }

  private objection({ run, expected, fence, dedupe }: Append): Appended | undefined {
    const known = dedupe && this.recorded(dedupe.scope, dedupe.key);
    if (known && dedupe)
      return known.payload === dedupe.payload ? { type: 'repeated', answer: known.answer } : { type: 'key-reused' };
    const row = this.runs.get(run);
    if (fence !== undefined && row && row.epoch !== fence) return { type: 'fenced', epoch: row.epoch };
    if ((row?.version ?? 0) !== expected) return { type: 'conflict', version: row?.version ?? 0 };
    return undefined;
  }

  private write(unit: Append): Appended {
    const { run, kind, events, bodies, summary, fence, dedupe, inbox } = unit;
    const stream = this.byRun.get(run) ?? [];
    this.byRun.set(run, stream);
    for (const event of events) {
      const row: EventRow = { position: this.rows.length + 1, run, epoch: fence ?? null, ...event };
      this.rows.push(row);
      stream.push(row);
    }
    for (const { sha256, bytes } of bodies) this.bodies.set(sha256, bytes);
    if (dedupe)
      this.answers.set(JSON.stringify([dedupe.scope, dedupe.key]), { payload: dedupe.payload, answer: dedupe.answer });
    const last = events.at(-1);
    const at = last?.at ?? '';
    for (const question of inbox.open) {
      const { expiresAtMs = null, ...rest } = question;
      this.inbox.push({ item: this.inbox.length + 1, run, ...rest, expiresAtMs, askedAt: at, answeredAt: null });
    }
    for (const key of inbox.close) {
      const open = this.inbox.find((row) => row.run === run && row.key === key && row.answeredAt === null);
      if (open) open.answeredAt = at;
    }
    this.writeRun(unit, kind, summary, at, last?.hash ?? unit.prev);
    return { type: 'appended', version: unit.expected + events.length, position: this.rows.length };
  }

  private writeRun(unit: Append, kind: string, summary: Append['summary'], at: string, head: Hash): void {
    const before = this.runs.get(unit.run);
    const created = before === undefined && unit.owner !== undefined;
    this.runs.set(unit.run, {
      ...summary,
      run: unit.run,
      kind,
      version: unit.expected + unit.events.length,
      head,
      epoch: created ? 1 : (before?.epoch ?? 0),
      owner: unit.handBack ? null : created ? (unit.owner ?? null) : (before?.owner ?? null),
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
      createdPosition: before?.createdPosition ?? this.rows.length,
      text: summary.text ?? before?.text ?? '',
    });
  }

  private closeBatch(first: number): void {
    const rows = this.rows.slice(first - 1);
    if (rows.length === 0) return;
    const digest = batchDigest(
      this.hasher,
      rows.map(({ hash }) => hash),
    );
    const hash = batchHash(this.hasher, this.batches.at(-1)?.hash ?? GENESIS, first, rows.length, digest);
    this.batches.push({ batch: this.batches.length + 1, firstPosition: first, events: rows.length, digest, hash });
  }

  /** One conditional update a run: the new owner's epoch shuts out every former one. */
  claim(worker: WorkerId, run: Run): Claim {
    const previousOwner = run.owner;
    run.owner = worker;
    run.epoch += 1;
    return { run: run.run, kind: run.kind, epoch: run.epoch, previousOwner };
  }
}
