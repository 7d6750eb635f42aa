import type { ServerResponse } from 'node:http';
import type { Clock } from '../../engine/ports.js';
import type { EventFeed } from './event-feed.js';

/** So that both sides notice when the other has gone. */
const SIGN_OF_LIFE_MS = 3_000;
/** Who takes nothing for so long is let go, and comes back with the last id it has seen. */
const STUCK_MS_MAX = 30_000;

type Stream = { after: number; run: string | undefined; signal: AbortSignal };

/** Every event behind a position, in order and once, until somebody ends it. Nobody's slowness takes memory here. */
export async function sendEvents(
  feed: EventFeed,
  clock: Clock,
  response: ServerResponse,
  { after, run, signal }: Stream,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  signal.addEventListener('abort', leave);
  const sign = every(clock, SIGN_OF_LIFE_MS, () => {
    if (response.writableLength === 0) response.write(': \n\n');
  });
  try {
    response.write(': \n\n');
    let position = after;
    while (!gone.signal.aborted) {
      const { lines, upTo } = await feed.behind(position, run);
      position = upTo;
      const text = lines.map((line) => line.text).join('');
      if (text !== '' && !response.write(text) && !(await drained(response, clock, gone.signal))) {
        response.destroy();
        return;
      }
      if (lines.length === 0) await feed.more(position, gone.signal);
    }
  } finally {
    sign();
    signal.removeEventListener('abort', leave);
    response.end();
  }
}

/** False when it took too long. */
function drained(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<boolean> {
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
  });
}

function every(clock: Clock, ms: number, call: () => void): () => void {
  let cancel = clock.after(ms, tick);
  function tick(): void {
    call();
    cancel = clock.after(ms, tick);
  }
  return () => cancel();
}
