import type { ServerResponse } from 'node:http';
import type { Clock } from '../../engine/ports.js';

/** So that both sides notice when the other has gone. */
const SIGN_OF_LIFE_MS = 3_000;
/** Who takes nothing for so long is let go, and comes back with the last id it has seen. */
export const STUCK_MS_MAX = 30_000;
const SIGN_OF_LIFE = ': \n\n';

/** Sends one piece after another until there is none or somebody ends it. Nobody's slowness takes memory here. */
export async function sendPieces(
  clock: Pick<Clock, 'after'>,
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const sign = every(clock, SIGN_OF_LIFE_MS, () => {
    if (response.writableLength === 0) response.write(SIGN_OF_LIFE);
  });
  try {
    response.write(SIGN_OF_LIFE);
    for await (const piece of pieces) {
      if (signal.aborted) return;
      if (response.write(piece)) continue;
      if (!(await drained(response, clock, signal))) {
        response.destroy();
        return;
      }
    }
  } finally {
    sign();
    response.end();
  }
}

/** False when it took too long. */
function drained(response: ServerResponse, clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(STUCK_MS_MAX, () => end(false));
    const onDrain = (): void => end(true);
    const end = (well: boolean): void => {
      cancel();
      response.off('drain', onDrain);
      signal.removeEventListener('abort', onDrain);
      resolve(well);
    };
    response.once('drain', onDrain);
    signal.addEventListener('abort', onDrain, { once: true });
    if (signal.aborted) end(true);
  });
}

function every(clock: Pick<Clock, 'after'>, ms: number, call: () => void): () => void {
  let cancel = clock.after(ms, tick);
  function tick(): void {
    call();
    cancel = clock.after(ms, tick);
  }
  return () => cancel();
}
