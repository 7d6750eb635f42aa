import type { Child } from '../../core/kernel/effect.js';
import type { RunRow } from '../ports.js';
import type { Context, Ran } from './context.js';

/** Whoever had it may die without anybody being told. */
const LOOK_AGAIN_MS = 1_000;

/** Made once however often it is begun; afterwards it is seen to that somebody drives it. */
export async function runChild(context: Context, { key, run: child, begin }: Child): Promise<Ran> {
  const { ports, signal } = context;
  if (begin) await make(context, key, child, begin);
  if (signal.aborted) return undefined;
  const status = await untilEnded(context, child);
  return status === undefined
    ? undefined
    : { command: { type: 'Ended', atMs: ports.clock.nowMs(), key, run: child, status } };
}

async function make(
  { ports, run, child: makeChild }: Context,
  key: string,
  child: string,
  { kind, command }: NonNullable<Child['begin']>,
): Promise<void> {
  const payload = ports.hasher.sha256(JSON.stringify(command));
  const origin = { actor: `run:${run}`, key: { scope: `child:${child}`, key: `${run}/${key}`, payload } };
  const outcome = await makeChild(child, kind, { ...command, atMs: ports.clock.nowMs() } as { type: string }, origin);
  // What it was begun with may have been changed since, such as how many may work at once: it is there all the same.
  if (outcome.type !== 'refused' || (await ports.store.run(child))) return;
  throw new Error(`${child}: ${outcome.refusal.reason}`);
}

/** Its last status; undefined when nobody waits for it any more. */
function untilEnded({ ports, signal, watch, drive }: Context, child: string): Promise<string | undefined> {
  const { store, clock } = ports;
  return new Promise((resolve, reject) => {
    let cancel = (): void => {};
    let looking = false;
    let over = false;
    const finish = (status?: string): void => {
      over = true;
      cancel();
      unwatch();
      resolve(status);
    };
    const look = async (): Promise<void> => {
      const row = await store.run(child);
      if (signal.aborted) return;
      if (!row || row.ended) return finish(row?.status ?? 'missing');
      if (isDue(row, clock.nowMs())) await drive(child);
    };
    const lookAgain = (): void => {
      cancel();
      if (looking || over) return;
      looking = true;
      look()
        .catch((problem) => {
          reject(problem);
          finish();
        })
        .finally(() => {
          looking = false;
          if (!over) cancel = clock.after(LOOK_AGAIN_MS, lookAgain);
        });
    };
    const unwatch = watch(child, lookAgain);
    signal.addEventListener('abort', () => finish());
    lookAgain();
  });
}

/** One at rest waits for a person and needs nobody. */
function isDue({ owes, wakeAtMs }: RunRow, nowMs: number): boolean {
  return owes || (wakeAtMs !== null && wakeAtMs <= nowMs);
}
