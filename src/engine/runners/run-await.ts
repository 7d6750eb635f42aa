import type { Await } from '../../core/kernel/effect.js';
import type { Context, Ran } from './context.js';

/** Looks after every commit that touches the other run, and once before. A run that does not exist has ended. */
export function runAwait(context: Context, { key, run: other }: Await): Promise<Ran> {
  const { ports, signal, watch } = context;
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      const row = await ports.store.run(other);
      if (row && !row.ended) return;
      end();
      const status = row?.status ?? 'missing';
      resolve({ command: { type: 'Ended', atMs: ports.clock.nowMs(), key, run: other, status } });
    };
    const end = watch(other, () => void look().catch(reject));
    signal.addEventListener('abort', () => {
      end();
      resolve(undefined);
    });
    look().catch(reject);
  });
}
