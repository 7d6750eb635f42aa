import type { Clock } from '../../../src/engine/ports.js';

/**
 * All time of a program, faster: beats, silence, looks for work and back-offs keep their proportions, so that what
 * takes ten seconds takes a part of one. Every process of a home counts from the same moment.
 */
export function fastClock(speed: number, originMs: number): Clock {
  return {
    nowMs: () => Math.round(originMs + (Date.now() - originMs) * speed),
    monotonicMs: () => performance.now() * speed,
    after(delayMs, call) {
      const timer = setTimeout(call, delayMs / speed);
      return () => clearTimeout(timer);
    },
  };
}
