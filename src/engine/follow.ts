import type { Clock, EventRow, EventStore, RunId } from './ports.js';

const PAGE = 500;
/** When the store did not answer: nobody may commit again for a long time, so it is asked again. */
const READ_AGAIN_MS = 500;

/** Reads the journal behind a position as it grows, whoever writes it, and hands every event on once and in order. */
export class Follower {
  private position = 0;
  private running = false;
  private again = false;
  private stopped = false;
  private unsubscribe: () => void = () => {};
  private cancelRetry: () => void = () => {};
  private readonly watchers = new Map<RunId, Set<() => void>>();
  private readonly store: EventStore;
  private readonly clock: Clock;
  private readonly onRow: (row: EventRow) => void;

  constructor(store: EventStore, clock: Clock, onRow: (row: EventRow) => void) {
    this.store = store;
    this.clock = clock;
    this.onRow = onRow;
  }

  async start(): Promise<void> {
    this.position = await this.store.position();
    this.unsubscribe = this.store.onCommit(() => this.readOrRetry());
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    this.cancelRetry();
  }

  watch(run: RunId, call: () => void): () => void {
    const calls = this.watchers.get(run) ?? new Set();
    this.watchers.set(run, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0) this.watchers.delete(run);
    };
  }

  /** Calls those who watch a run although nothing was written: something else about it changed. */
  poke(run: RunId): void {
    for (const call of [...(this.watchers.get(run) ?? [])]) call();
  }

  private readOrRetry(): void {
    this.cancelRetry();
    this.read().catch(() => {
      if (!this.stopped) this.cancelRetry = this.clock.after(READ_AGAIN_MS, () => this.readOrRetry());
    });
  }

  private async read(): Promise<void> {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    try {
      do {
        this.again = false;
        await this.readPages();
      } while (this.again && !this.stopped);
    } finally {
      this.running = false;
    }
  }

  private async readPages(): Promise<void> {
    for (;;) {
      const rows = await this.store.feed(this.position, PAGE);
      if (this.stopped) return;
      for (const row of rows) {
        this.position = row.position;
        this.onRow(row);
        this.poke(row.run);
      }
      if (rows.length < PAGE) return;
    }
  }
}
