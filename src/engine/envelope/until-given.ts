import type { Clock } from '../ports.js';

/** Waits for something no longer than so long, and not after nobody wants to know any more. */
export async function untilGiven(
  clock: Clock,
  maxMs: number,
  signal: AbortSignal,
  wait: (given: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const stop = (): void => over.abort();
  const cancel = clock.after(maxMs, stop);
  signal.addEventListener('abort', stop);
  try {
    await wait(over.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
