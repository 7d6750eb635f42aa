import { BatonError } from '../../contracts/shared/errors.js';
import type {
  Append,
  Appended,
  BatchRow,
  Claim,
  EventHead,
  EventRow,
  EventStore,
  Hash,
  InboxRow,
  Loaded,
  RunFilter,
  RunId,
  RunRow,
  Snapshot,
  WorkerId,
  WorkerRow,
} from '../../engine/ports.js';
import type { CommitWatch } from './commit-watch.js';
import { ProcessTable } from './process-table.js';
import type { Reader } from './reader.js';
import { RecentBodies } from './recent-bodies.js';
import { RecentEvents } from './recent-events.js';
import { isFatal, storeError } from './sqlite-failure.js';
import type { WorkerLocks } from './worker-locks.js';
import type { WriteName, Writer, Writes } from './write-tasks.js';

/**
 * S1 Reads go through a connection of their own and never wait for a writer.
 * S2 After a failure of the disk, or the death of the writer, every call is refused: what the store would say is
 *    not known to be on the disk.
 */
export class SqliteStore implements EventStore {
  readonly home: string;
  readonly processes: ProcessTable;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #watch: CommitWatch;
  readonly #locks: Pick<WorkerLocks, 'isDead'>;
  readonly #recent: RecentEvents;
  readonly #bodies = new RecentBodies();
  readonly #monotonicMs: () => number;
  #unusable: Error | undefined;

  constructor(parts: {
    home: string;
    writer: Writer;
    reader: Reader;
    watch: CommitWatch;
    /** To look at others' locks; none is taken. */
    locks: Pick<WorkerLocks, 'isDead'>;
    /** Filled by whoever hears of the writer's commits. */
    recent?: RecentEvents;
    monotonicMs: () => number;
  }) {
    this.home = parts.home;
    this.#writer = parts.writer;
    this.#reader = parts.reader;
    this.#watch = parts.watch;
    this.#locks = parts.locks;
    this.#recent = parts.recent ?? new RecentEvents();
    this.#monotonicMs = parts.monotonicMs;
    this.processes = new ProcessTable({ write: (name, args) => this.#write(name, args) }, (work) => this.#read(work));
  }

  async append(group: readonly Append[]): Promise<readonly Appended[]> {
    const answers = await this.#write('append', group);
    this.#bodies.addAll(group.filter((_, index) => answers[index]?.type === 'appended'));
    return answers;
  }

  async recorded(scope: string, key: string): Promise<{ payload: Hash; answer: string } | undefined> {
    return this.#read((reader) => reader.recorded(scope, key));
  }

  /** Everything as it is at one moment, in a file that must not be there yet, while others go on. */
  async copyTo(file: string): Promise<void> {
    this.#read((reader) => reader.copyTo(file));
  }

  async load(run: RunId, after?: number): Promise<Loaded | undefined> {
    return this.#read((reader) => reader.load(run, after));
  }

  async feed(after: number, limit: number): Promise<readonly EventRow[]> {
    return this.#read((reader) => reader.feed(after, limit));
  }

  async feedHeads(after: number, limit: number): Promise<readonly EventHead[]> {
    return this.#read((reader) => {
      const recent = this.#recent.after(after, limit);
      return recent.length > 0 ? recent : reader.feedHeads(after, limit);
    });
  }

  async events(run: RunId, after: number, limit: number): Promise<readonly EventRow[]> {
    return this.#read((reader) => reader.events(run, after, limit));
  }

  async nextEvents(run: RunId, after: number, limit: number): Promise<readonly EventRow[]> {
    return this.#read((reader) => {
      const recent = this.#recent.eventsOf(run, after, limit);
      return recent.length > 0 ? recent : reader.events(run, after, limit);
    });
  }

  async position(): Promise<number> {
    return this.#read((reader) => reader.position());
  }

  onCommit(wake: (position: number) => void): () => void {
    return this.#read(() => this.#watch.listen(wake));
  }

  async claim(worker: WorkerId, which: { run?: RunId; nowMs: number; limit: number }): Promise<readonly Claim[]> {
    return this.#write('claim', { worker, ...which, observedMs: this.#monotonicMs() });
  }

  async release(run: RunId, epoch: number): Promise<void> {
    await this.#write('release', { run, epoch });
  }

  async ownedBy(worker: WorkerId): Promise<readonly RunId[]> {
    return this.#read((reader) => reader.ownedBy(worker));
  }

  async nextWake(): Promise<number | null> {
    return this.#read((reader) => reader.nextWake());
  }

  async enlist(worker: WorkerId, host: string): Promise<void> {
    await this.#write('enlist', { worker, host });
  }

  async beat(worker: WorkerId): Promise<void> {
    await this.#write('beat', { worker });
  }

  async discharge(worker: WorkerId): Promise<void> {
    await this.#write('discharge', { worker });
  }

  async workers(): Promise<readonly WorkerRow[]> {
    return this.#read((reader) => reader.workers());
  }

  async isGone(worker: WorkerId): Promise<boolean> {
    return this.#read(() => this.#locks.isDead(worker));
  }

  async hear(run: RunId, task: string, atMs: number): Promise<void> {
    await this.#write('hear', { run, task, at: new Date(atMs).toISOString() });
  }

  async heard(run: RunId): Promise<ReadonlyMap<string, number>> {
    return this.#read((reader) => reader.heard(run));
  }

  async run(run: RunId): Promise<RunRow | undefined> {
    return this.#read((reader) => reader.run(run));
  }

  async runs(filter: RunFilter): Promise<{ items: readonly RunRow[]; next: string | null }> {
    return this.#read((reader) => reader.runs(filter));
  }

  async inbox(filter: { open: boolean; after?: number; limit: number }): Promise<readonly InboxRow[]> {
    return this.#read((reader) => reader.inbox(filter));
  }

  async body(sha256: Hash): Promise<Uint8Array | undefined> {
    return this.#read((reader) => {
      const known = this.#bodies.get(sha256);
      if (known) return known;
      const bytes = reader.body(sha256);
      if (bytes) this.#bodies.add(sha256, bytes);
      return bytes;
    });
  }

  async saveSnapshot(snapshot: Snapshot, epoch: number): Promise<void> {
    await this.#write('saveSnapshot', { snapshot, epoch });
  }

  async batches(after: number, limit: number): Promise<readonly BatchRow[]> {
    return this.#read((reader) => reader.batches(after, limit));
  }

  async close(): Promise<void> {
    if (this.#unusable instanceof BatonError && this.#unusable.code === 'STORE_CLOSED') return;
    this.#unusable = new BatonError('STORE_CLOSED', 'the store is closed', { home: this.home });
    this.#watch.stop();
    await this.#writer.close();
    this.#reader.close();
  }

  /** Called when the writer is gone for good. */
  refuseFromNowOn(failure: Error): void {
    this.#unusable ??= failure;
  }

  async #write<Name extends WriteName>(name: Name, args: Writes[Name]['args']): Promise<Writes[Name]['result']> {
    if (this.#unusable) throw this.#unusable;
    try {
      return await this.#writer.write(name, args);
    } catch (failure) {
      if (failure instanceof Error && isFatal(failure)) this.refuseFromNowOn(failure);
      throw failure;
    }
  }

  #read<T>(work: (reader: Reader) => T): T {
    if (this.#unusable) throw this.#unusable;
    try {
      return work(this.#reader);
    } catch (failure) {
      const error = storeError(failure, this.home);
      if (isFatal(error)) this.refuseFromNowOn(error);
      throw error;
    }
  }
}
