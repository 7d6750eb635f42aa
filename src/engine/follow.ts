import type { Clock, EventHead, EventStore, RunId } from './ports.js';

const PAGE = 500;
/** When the store did not answer: nobody may commit again for a long time, so it is asked again. */
const READ_AGAIN_MS = 500;

/** With the seq of the event that was written, if it was one. */
export type Watcher = (seq?: number) => void;

/**
 * Follows the journal behind a position as it grows, whoever writes it, and hands on every event once and in order:
 * which run it belongs to, not what it says.
 */
export class Follower {
  private position = 0;
  /** As far as we have heard of. */
  private upTo = 0;
  private running = false;
  private stopped = false;
  private unsubscribe: () => void = () => {};
  private cancelRetry: () => void = () => {};
  private readonly watchers = new Map<RunId, Set<Watcher>>();
  private readonly store: EventStore;
  private readonly clock: Clock;
  private readonly onEvent: (event: EventHead) => void;

  constructor(store: EventStore, clock: Clock, onEvent: (event: EventHead) => void) {
    this.store = store;
    this.clock = clock;
    this.onEvent = onEvent;
  }

  async start(): Promise<void> {
    this.position = await this.store.position();
    this.unsubscribe = this.store.onCommit((position) => this.readOrRetry(position));
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    this.cancelRetry();
  }

  watch(run: RunId, call: Watcher): () => void {
    const calls = this.watchers.get(run) ?? new Set();
    this.watchers.set(run, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0) this.watchers.delete(run);
    };
  }

  /** Without a `seq`: nothing was written, something else about it changed. */
  poke(run: RunId, seq?: number): void {
    const calls = this.watchers.get(run);
    if (calls) for (const call of [...calls]) call(seq);
  }

  private readOrRetry(upTo: number): void {
    this.upTo = Math.max(this.upTo, upTo);
    this.cancelRetry();
    this.read().catch(() => {
      if (!this.stopped) this.cancelRetry = this.clock.after(READ_AGAIN_MS, () => this.readOrRetry(upTo));
    });
  }

  private async read(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      while (this.position < this.upTo && !this.stopped) {
        const events = await this.store.feedHeads(this.position, PAGE);
        if (this.stopped || events.length === 0) return;
        for (const event of events) this.handOn(event);
      }
    } finally {
      this.running = false;
    }
  }

  private handOn(event: EventHead): void {
    this.position = event.position;
    this.onEvent(event);
    this.poke(event.run, event.seq);
  }
}
