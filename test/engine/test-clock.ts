import type { Clock } from '../../src/engine/ports.js';

type Timer = { atMs: number; call: () => void };

/** A clock that stands still until it is told how far to go. The wall clock can be set; the other cannot. */
export class TestClock implements Clock {
  private elapsedMs = 0;
  private offsetMs = 1_000_000;
  private timers: Timer[] = [];

  nowMs = (): number => this.offsetMs + this.elapsedMs;
  monotonicMs = (): number => this.elapsedMs;
  after = (delayMs: number, call: () => void): (() => void) => {
    const timer = { atMs: this.elapsedMs + Math.max(0, delayMs), call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  };

  setWall(byMs: number): void {
    this.offsetMs += byMs;
  }

  /** Everything that falls due meanwhile happens, in order, with all that follows from it. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.elapsedMs + byMs;
    for (;;) {
      await settled();
      const next = this.timers.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)[0];
      if (!next) break;
      this.timers = this.timers.filter((one) => one !== next);
      this.elapsedMs = Math.max(this.elapsedMs, next.atMs);
      next.call();
    }
    this.elapsedMs = untilMs;
  }
}

/** Lets every promise that can go on go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
