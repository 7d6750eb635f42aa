import type { SessionPlace } from '../../engine/session/session-place.js';
import type { SessionTrack } from './session-track.js';

const LOOK_AGAIN_MS = 50;

/** Tells when a session does nothing any more but wait for a person, and nobody is here to be asked. */
export function untilPersonNeeded(
  { store }: Pick<SessionPlace, 'store'>,
  track: SessionTrack,
  isNobodyHere: () => boolean,
): { needed: Promise<'needed'>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const needed = new Promise<'needed'>((resolve) => {
    const look = async (): Promise<void> => {
      if (!isNobodyHere() || track.session === null || track.approvals.length === 0) return;
      const row = await store.run(track.session);
      // Other calls of the same turn may still run.
      if (row && !row.owes && track.approvals.length > 0) resolve('needed');
    };
    timer = setInterval(() => void look().catch(() => {}), LOOK_AGAIN_MS);
  });
  return { needed, stop: () => clearInterval(timer) };
}
