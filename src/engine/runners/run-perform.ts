import type { Perform } from '../../core/kernel/effect.js';
import type { Context, Ran } from './context.js';

/** A deed that cannot be done now is begun again by whoever runs effects; what is a fact comes back as its result. */
export async function runPerform({ ports, run, epoch, signal }: Context, effect: Perform): Promise<Ran> {
  if (signal.aborted) return undefined;
  const ended = new AbortController();
  const stop = () => ended.abort();
  signal.addEventListener('abort', stop);
  try {
    const { result, bodies } = await ports.deeds.perform({ run, epoch }, effect, ended.signal);
    if (signal.aborted) return undefined;
    const command = { type: 'Performed', atMs: ports.clock.nowMs(), key: effect.key, result } as const;
    return { command, ...(bodies && { bodies }) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
