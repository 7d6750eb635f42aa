import type { Engine } from './engine.js';
import type { Clock, RunId } from './ports.js';

/** How often somebody who only watches looks whether the one who drives is still there. */
const LOOK_AGAIN_MS = 1_000;

type Around = { engine: Pick<Engine, 'owns' | 'drive'>; clock: Clock };

/** What comes of this, while a run is driven by us, or by us again as soon as whoever drives it is gone. */
export async function whileDriven<T>(around: Around, run: RunId, until: Promise<T>): Promise<T> {
  const driving = new AbortController();
  try {
    return await Promise.race([until, keepDriving(around, run, driving.signal)]);
  } finally {
    driving.abort();
  }
}

/** Never resolves: fails when the run cannot be driven, and ends quietly when told to. */
function keepDriving({ engine, clock }: Around, run: RunId, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    let cancel = (): void => {};
    const look = async (): Promise<void> => {
      if (!signal.aborted && !engine.owns(run)) await engine.drive(run);
      if (!signal.aborted) cancel = clock.after(LOOK_AGAIN_MS, () => void look().catch(reject));
    };
    signal.addEventListener('abort', () => cancel());
    look().catch(reject);
  });
}
