import type { Ask } from '../../core/kernel/effect.js';
import type { Context } from './context.js';

const LOOKS_PER_LIMIT = 4;
const LOOK_MS_MAX = 5_000;

/**
 * Looks now and then whether an agent gives signs of life, keeps the last one where others see it, and calls when there
 * was none for too long. Time in which this process itself stood still counts only in part: it could hear nothing.
 */
export function watchSilence(
  { ports, run }: Context,
  { maxMs, beat }: NonNullable<Ask['silence']>,
  onSilent: (reason: string) => void,
): () => void {
  const { clock, store, agents } = ports;
  const everyMs = Math.min(maxMs / LOOKS_PER_LIMIT, LOOK_MS_MAX);
  let lookedMs = clock.monotonicMs();
  let heardMs = lookedMs;
  let silentMs = 0;
  let ended = false;
  let cancel = (): void => {};
  /** The last beat that is known of; a clock that was set decides nothing. */
  let knownMs = 0;
  const tell = (): void => {
    knownMs = clock.nowMs();
    store.hear(beat.run, beat.task, knownMs).catch((problem) => {
      ports.log('warn', 'a heartbeat was not kept', { ...beat, problem: String(problem) });
    });
  };
  const isHeardElsewhere = async (): Promise<boolean> => {
    const lastMs = (await store.heard(beat.run)).get(beat.task) ?? 0;
    if (lastMs <= knownMs) return false;
    knownMs = lastMs;
    silentMs = 0;
    return true;
  };
  const look = async (): Promise<void> => {
    const nowMs = clock.monotonicMs();
    silentMs += Math.min(nowMs - lookedMs, everyMs * 2);
    lookedMs = nowMs;
    const signMs = agents.lastSignMs?.(run) ?? 0;
    if (signMs > heardMs) {
      heardMs = signMs;
      silentMs = Math.max(0, nowMs - signMs);
      tell();
    }
    if (silentMs < maxMs || (await isHeardElsewhere())) return;
    ended = true;
    onSilent(`sent no heartbeat for ${Math.floor(silentMs / 1000)} s; ${maxMs / 1000} s are allowed`);
  };
  const again = (): void => {
    if (!ended) cancel = clock.after(everyMs, () => void look().catch(noLook).finally(again));
  };
  const noLook = (problem: unknown): void =>
    ports.log('warn', 'could not look for heartbeats', { ...beat, problem: String(problem) });
  tell();
  again();
  return () => {
    ended = true;
    cancel();
  };
}
