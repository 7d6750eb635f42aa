import type { Seeded } from './seeded.js';

const STARTS_MS = 1_700_000_000_000;

type Timer = { atMs: number; order: number; call: () => void };

/**
 * Simulated time. Timers run one by one in the order of their time; those due at the same moment in an order that the
 * seed decides, so that wake-ups are reordered. Between two timers everything that can run without time does run.
 */
export class World {
  nowMs = STARTS_MS;
  /** Everything that happened, for people: what the seed of a failure is looked at with. */
  readonly diary: string[] = [];
  private timers: Timer[] = [];
  private readonly chance: Seeded;

  constructor(chance: Seeded) {
    this.chance = chance;
  }

  note(what: string): void {
    this.diary.push(`${String(this.nowMs - STARTS_MS).padStart(8)} ${what}`);
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.nowMs + Math.max(0, delayMs), order: this.chance.next(), call };
    this.insert(timer);
    return () => {
      const index = this.timers.indexOf(timer);
      if (index !== -1) this.timers.splice(index, 1);
    };
  }

  /** Runs until the condition holds; false when it did not within so much simulated time. */
  async runUntil(done: () => boolean, budgetMs: number): Promise<boolean> {
    const untilMs = this.nowMs + budgetMs;
    while (!done()) {
      const [timer] = this.timers;
      if (!timer || timer.atMs > untilMs) return done();
      this.timers.shift();
      this.nowMs = Math.max(this.nowMs, timer.atMs);
      timer.call();
      await everythingElse();
    }
    return true;
  }

  private insert(timer: Timer): void {
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.timers[middle] as Timer;
      if (other.atMs < timer.atMs || (other.atMs === timer.atMs && other.order < timer.order)) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, timer);
  }
}

/** Lets every promise that can go on go on. */
function everythingElse(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
