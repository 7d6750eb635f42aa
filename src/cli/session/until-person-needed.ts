import type { Baton } from '../../engine/opened-baton.js';
import type { SessionTrack } from './session-track.js';

const LOOK_AGAIN_MS = 50;

/** Tells when a session does nothing any more but wait for a person, and nobody is here to be asked. */
export function untilPersonNeeded(
  { store }: Pick<Baton, 'store'>,
  track: SessionTrack,
  isNobodyHere: () => boolean,
): { needed: Promise<'needed'>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const needed = new Promise<'needed'>((resolve) => {
    const look = async (): Promise<void> => {
      const row = track.session === null ? undefined : await store.run(track.session);
      // Other calls of the same turn may still run.
      if (isNobodyHere() && track.approvals.length > 0 && row && !row.owes) resolve('needed');
    };
    timer = setInterval(() => void look().catch(() => {}), LOOK_AGAIN_MS);
  });
  return { needed, stop: () => clearInterval(timer) };
}
