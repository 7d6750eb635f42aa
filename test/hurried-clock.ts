/** Stands in for the system's clock: time is as it is, until a test lets some of it pass at once. */
import type { Clock } from '../src/engine/ports.js';

/** Who waits for less looks after something again and again, and goes on at its own pace. */
const LONG_MS_MIN = 6_000;
/** For what follows from a wait that is over, before the next one is. */
const BREATH_MS = 50;

type Wait = { delayMs: number; dueMs: number; call(): void; armed?: NodeJS.Timeout };
const waits = new Set<Wait>();
let aheadMs = 0;
const hurriedMs = (): number => performance.now() + aheadMs;

export const nodeClock: Clock = {
  nowMs: () => Math.round(Date.now() + aheadMs),
  monotonicMs: () => performance.now(),
  after(delayMs, call) {
    if (delayMs < LONG_MS_MIN) {
      const timer = setTimeout(call, Math.max(0, delayMs));
      return () => clearTimeout(timer);
    }
    const wait: Wait = { delayMs, dueMs: hurriedMs() + delayMs, call };
    waits.add(wait);
    arm(wait);
    return () => forget(wait);
  },
};

/** Whether somebody waits who was told to wait exactly so long. */
export function isWaitedFor(ms: number): boolean {
  return [...waits].some(({ delayMs }) => delayMs === ms);
}

/** Lets so much time pass for all who wait long. Each wait is over in its order and at its time. */
export async function timePasses(ms: number): Promise<void> {
  const untilMs = hurriedMs() + ms;
  const next = () => [...waits].sort((a, b) => a.dueMs - b.dueMs).find(({ dueMs }) => dueMs <= untilMs);
  for (let wait = next(); wait; wait = next()) {
    aheadMs += Math.max(0, wait.dueMs - hurriedMs());
    end(wait);
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
  }
  aheadMs += Math.max(0, untilMs - hurriedMs());
  for (const wait of waits) arm(wait);
}

function arm(wait: Wait): void {
  clearTimeout(wait.armed);
  const leftMs = Math.max(0, wait.dueMs - hurriedMs());
  // Longer ones would overflow; none of them is over by itself within a test.
  wait.armed = setTimeout(() => end(wait), Math.min(leftMs, 2 ** 31 - 1));
}

function end(wait: Wait): void {
  forget(wait);
  wait.call();
}

function forget(wait: Wait): void {
  clearTimeout(wait.armed);
  waits.delete(wait);
}
