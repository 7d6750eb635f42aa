import type { Wake } from '../../core/kernel/effect.js';
import type { Context, Ran } from './context.js';

/** The wall clock may be set while we wait, so no wait is longer than this before it is looked at again. */
const LOOK_AGAIN_MS = 60_000;

export function runWake({ ports, signal }: Context, { key, atMs: dueMs }: Wake): Promise<Ran> {
  const { clock } = ports;
  return new Promise((resolve) => {
    let cancel = () => {};
    const look = (): void => {
      const waitMs = dueMs - clock.nowMs();
      if (waitMs <= 0) resolve({ command: { type: 'Woke', atMs: clock.nowMs(), key } });
      else cancel = clock.after(Math.min(waitMs, LOOK_AGAIN_MS), look);
    };
    signal.addEventListener('abort', () => {
      cancel();
      resolve(undefined);
    });
    look();
  });
}
