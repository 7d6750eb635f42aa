import type { EventStore } from '../engine/ports.js';

/** Commits while nobody waits are not forgotten: the next wait ends at once. */
export class Wakeups {
  private due = false;
  private resolve: (() => void) | undefined;
  private readonly signal: AbortSignal;
  private readonly unsubscribe: () => void;

  constructor(store: Pick<EventStore, 'onCommit'>, signal: AbortSignal) {
    this.signal = signal;
    this.unsubscribe = store.onCommit(() => this.wake());
    signal.addEventListener('abort', () => this.wake());
  }

  /** False when it is over. */
  async next(): Promise<boolean> {
    if (!this.due && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
      });
    }
    this.due = false;
    return !this.signal.aborted;
  }

  end(): void {
    this.unsubscribe();
  }

  private wake(): void {
    this.due = true;
    this.resolve?.();
  }
}
