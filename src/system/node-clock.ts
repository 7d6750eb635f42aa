import type { Clock } from '../engine/ports.js';

/** Longer waits would overflow and fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const nodeClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, call) {
    const untilMs = performance.now() + delayMs;
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const leftMs = untilMs - performance.now();
      if (leftMs > TIMER_MS_MAX) timer = setTimeout(arm, TIMER_MS_MAX);
      else timer = setTimeout(call, Math.max(0, leftMs));
    };
    arm();
    return () => clearTimeout(timer);
  },
};
