import type { Clock } from '../engine/ports.js';

/** Between two starts that use one login: who starts many at once is taken for an attack. */
const BETWEEN_STARTS_MS = 250;

/** Lets those who use one login begin one after the other. */
export class SpacedStarts {
  private readonly clock: Clock;
  private readonly nextMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Resolves when it is one's turn, or when the signal says stop. */
  turn(login: string, signal: AbortSignal): Promise<void> {
    const nowMs = this.clock.nowMs();
    const mineMs = Math.max(nowMs, this.nextMs.get(login) ?? 0);
    this.nextMs.set(login, mineMs + BETWEEN_STARTS_MS);
    if (mineMs === nowMs || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        cancel();
        signal.removeEventListener('abort', go);
        resolve();
      };
      const cancel = this.clock.after(mineMs - nowMs, go);
      signal.addEventListener('abort', go);
    });
  }
}
