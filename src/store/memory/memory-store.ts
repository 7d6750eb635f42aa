import {
  type Append,
  type Appended,
  type BatchRow,
  type Claim,
  type Clock,
  type EventHead,
  type EventRow,
  type EventStore,
  type Hash,
  type InboxRow,
  type Loaded,
  PART_KIND,
  type RunFilter,
  type RunId,
  type RunRow,
  type Snapshot,
  type WorkerId,
  type WorkerRow,
} from '../../engine/ports.js';
import type { MemoryJournal } from './journal.js';

const SILENT_MS = 10_000;
/** Who did not look for so long may itself have slept, and must not take that for the silence of others. */
const UNWATCHED_MS_MAX = 5_000;

/**
 * What may go wrong on the way to and from the journal. `before`: the call never arrives. `after`: it arrived, but
 * the caller is not told. Simulation decides per call; without it nothing goes wrong.
 */
export type Faults = {
  delayMs(): number;
  fate(call: string): 'fine' | 'before' | 'after';
  /** Asked after the work is done: a process that died meanwhile is never told. */
  isDead?(): boolean;
};

const NO_FAULTS: Faults = { delayMs: () => 0, fate: () => 'fine' };

/** One process's connection to a journal in memory. Everything it is asked takes at least one turn of the clock. */
export class MemoryStore implements EventStore {
  private readonly journal: MemoryJournal;
  private readonly clock: Clock;
  private readonly faults: Faults;
  private readonly seenBeats = new Map<WorkerId, { beat: number; sinceMs: number; lookedMs: number }>();

  constructor(journal: MemoryJournal, clock: Clock, faults: Faults = NO_FAULTS) {
    this.journal = journal;
    this.clock = clock;
    this.faults = faults;
  }

  append(group: readonly Append[]): Promise<readonly Appended[]> {
    return this.call('append', () => this.journal.commit(group));
  }

  recorded(scope: string, key: string): Promise<{ payload: Hash; answer: string } | undefined> {
    return this.call('recorded', () => this.journal.recorded(scope, key));
  }

  load(run: RunId, after?: number): Promise<Loaded | undefined> {
    return this.call('load', () => {
      const row = this.journal.runs.get(run);
      if (!row) return undefined;
      const snapshot = after === undefined ? this.journal.snapshots.get(run) : undefined;
      const from = after ?? snapshot?.version ?? 0;
      const { kind, version, head, epoch, owner } = row;
      return {
        kind,
        version,
        head,
        epoch,
        owner,
        tail: this.journal.eventsOf(run).slice(from),
        ...(snapshot && { snapshot }),
      };
    });
  }

  feed(after: number, limit: number): Promise<readonly EventRow[]> {
    return this.call('feed', () => this.journal.rows.slice(after, after + limit));
  }

  feedHeads(after: number, limit: number): Promise<readonly EventHead[]> {
    return this.call('feed', () =>
      this.journal.rows.slice(after, after + limit).map(({ position, run, seq }) => ({ position, run, seq })),
    );
  }

  events(run: RunId, after: number, limit: number): Promise<readonly EventRow[]> {
    return this.call('events', () => this.journal.eventsOf(run).slice(after, after + limit));
  }

  nextEvents(run: RunId, after: number, limit: number): Promise<readonly EventRow[]> {
    return this.events(run, after, limit);
  }

  batches(after: number, limit: number): Promise<readonly BatchRow[]> {
    return this.call('batches', () => this.journal.batches.slice(after, after + limit));
  }

  position(): Promise<number> {
    return this.call('position', () => this.journal.rows.length);
  }

  onCommit(wake: (position: number) => void): () => void {
    const listener = () => {
      this.clock.after(this.faults.delayMs(), () => wake(this.journal.rows.length));
    };
    this.journal.listeners.add(listener);
    return () => this.journal.listeners.delete(listener);
  }

  claim(worker: WorkerId, which: { run?: RunId; nowMs: number; limit: number }): Promise<readonly Claim[]> {
    return this.call('claim', () => {
      const found: Claim[] = [];
      for (const run of this.journal.runs.values()) {
        if (found.length >= which.limit) break;
        const left = run.owner !== null && run.owner !== worker && !this.isAlive(run.owner);
        if (which.run !== undefined ? run.run !== which.run : !left && !isDue(run, which.nowMs)) continue;
        const mine = which.run !== undefined && run.owner === worker;
        if (mine || run.owner === null || !this.isAlive(run.owner)) found.push(this.journal.claim(worker, run));
      }
      return found;
    });
  }

  release(run: RunId, epoch: number): Promise<void> {
    return this.call('release', () => {
      const row = this.journal.runs.get(run);
      if (row && row.epoch === epoch) row.owner = null;
    });
  }

  ownedBy(worker: WorkerId): Promise<readonly RunId[]> {
    return this.call('ownedBy', () =>
      [...this.journal.runs.values()].filter(({ owner }) => owner === worker).map(({ run }) => run),
    );
  }

  nextWake(): Promise<number | null> {
    return this.call('nextWake', () => {
      const times = [...this.journal.runs.values()].flatMap(({ owner, wakeAtMs }) =>
        owner === null && wakeAtMs !== null ? [wakeAtMs] : [],
      );
      return times.length === 0 ? null : Math.min(...times);
    });
  }

  enlist(worker: WorkerId): Promise<void> {
    return this.call('enlist', () => void this.journal.workers.set(worker, 0));
  }

  beat(worker: WorkerId): Promise<void> {
    return this.call('beat', () => {
      const beats = this.journal.workers.get(worker);
      if (beats !== undefined) this.journal.workers.set(worker, beats + 1);
    });
  }

  discharge(worker: WorkerId): Promise<void> {
    return this.call('discharge', () => void this.journal.workers.delete(worker));
  }

  isGone(worker: WorkerId): Promise<boolean> {
    return this.call('workers', () => !this.journal.workers.has(worker));
  }

  workers(): Promise<readonly WorkerRow[]> {
    return this.call('workers', () => {
      const owned = [...this.journal.runs.values()].filter(({ owner }) => owner !== null);
      const names = new Set([...this.journal.workers.keys(), ...owned.map(({ owner }) => owner ?? '')]);
      return [...names].sort().map((worker) => ({
        ...{ worker, host: null, beat: this.journal.workers.get(worker) ?? null },
        leases: owned.filter(({ owner }) => owner === worker).map(({ run, epoch }) => ({ run, epoch })),
      }));
    });
  }

  hear(run: RunId, task: string, atMs: number): Promise<void> {
    return this.call('hear', () => {
      const beats = this.journal.beats.get(run) ?? new Map<string, number>();
      this.journal.beats.set(run, beats.set(task, Math.max(atMs, beats.get(task) ?? 0)));
    });
  }

  heard(run: RunId): Promise<ReadonlyMap<string, number>> {
    return this.call('heard', () => new Map(this.journal.beats.get(run)));
  }

  run(run: RunId): Promise<RunRow | undefined> {
    return this.call('run', () => this.journal.runs.get(run));
  }

  runs(filter: RunFilter): Promise<{ items: readonly RunRow[]; next: string | null }> {
    return this.call('runs', () => {
      const words = (filter.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const matching = [...this.journal.runs.values()]
        .filter(
          (run) =>
            isWanted(run, filter) && words.every((word) => `${run.title} ${run.text}`.toLowerCase().includes(word)),
        )
        .sort((one, other) => other.createdPosition - one.createdPosition)
        .filter((run) => filter.after === undefined || run.createdPosition < Number(filter.after));
      const items = matching.slice(0, filter.limit);
      const last = items.at(-1);
      return { items, next: matching.length > items.length && last ? String(last.createdPosition) : null };
    });
  }

  inbox({ open, after = 0, limit }: { open: boolean; after?: number; limit: number }): Promise<readonly InboxRow[]> {
    return this.call('inbox', () =>
      this.journal.inbox.filter((row) => row.item > after && (!open || row.answeredAt === null)).slice(0, limit),
    );
  }

  body(sha256: Hash): Promise<Uint8Array | undefined> {
    return this.call('body', () => this.journal.bodies.get(sha256));
  }

  saveSnapshot(snapshot: Snapshot, epoch: number): Promise<void> {
    return this.call('saveSnapshot', () => {
      if (this.journal.runs.get(snapshot.run)?.epoch === epoch) this.journal.snapshots.set(snapshot.run, snapshot);
    });
  }

  close(): Promise<void> {
    return this.call('close', () => undefined);
  }

  /** Dead workers are not in the table; silent ones are known by a beat that did not change while we watched. */
  private isAlive(worker: WorkerId): boolean {
    const beat = this.journal.workers.get(worker);
    if (beat === undefined) return false;
    const seen = this.seenBeats.get(worker);
    const nowMs = this.clock.monotonicMs();
    if (!seen || seen.beat !== beat || nowMs - seen.lookedMs > UNWATCHED_MS_MAX) {
      this.seenBeats.set(worker, { beat, sinceMs: nowMs, lookedMs: nowMs });
      return true;
    }
    seen.lookedMs = nowMs;
    return nowMs - seen.sinceMs < SILENT_MS;
  }

  private call<Result>(name: string, work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.clock.after(this.faults.delayMs(), () => {
        const fate = this.faults.fate(name);
        if (fate === 'before') return reject(new Error(`${name}: the store did not answer`));
        try {
          const result = work();
          if (this.faults.isDead?.()) return;
          if (fate === 'after') reject(new Error(`${name}: the store did not answer`));
          else resolve(result);
        } catch (problem) {
          reject(problem);
        }
      });
    });
  }
}

function isDue({ owes, wakeAtMs }: RunRow, nowMs: number): boolean {
  return owes || (wakeAtMs !== null && wakeAtMs <= nowMs);
}

function isWanted(run: RunRow, { kind, parts, status, agent, project }: RunFilter): boolean {
  return (
    (kind === undefined ? parts || run.kind !== PART_KIND : run.kind === kind) &&
    (status === undefined || run.status === status) &&
    (agent === undefined || run.agent === agent) &&
    (project === undefined || run.project === project)
  );
}
