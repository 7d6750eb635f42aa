import type { AskOutcome, Clock } from '../../engine/ports.js';
import { failed } from '../adapter.js';
import { IdleWatch } from '../proxy/idle-watch.js';

const SILENT_MS_MAX = 5 * 60_000;
const REST_MS_MAX = 100;
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;

export type WatchedFetch = {
  fetch: typeof fetch;
  /** Aborted with what it was given, and when the answer is too slow or too long. */
  signal: AbortSignal;
  /** Why it was ended here, if it was. */
  ended(): AskOutcome | undefined;
  /** All that matters is there: the rest is waited for only for a moment. */
  endSoon(): void;
  stop(): void;
};

/** An answer may take its time and may be long, but neither for ever. */
export function watchedFetch(send: typeof fetch, clock: Clock, signal: AbortSignal): WatchedFetch {
  const stop = new AbortController();
  let ended: AskOutcome | undefined;
  const end = (outcome: AskOutcome): void => {
    ended ??= outcome;
    stop.abort();
  };
  const silence = `nothing came from the model for ${SILENT_MS_MAX / 60_000} minutes`;
  const idle = new IdleWatch(clock, SILENT_MS_MAX, () => end(failed('timeout', silence)));
  let bytes = 0;
  let forget: (() => void) | undefined;
  const count = (length: number): void => {
    idle.touch();
    bytes += length;
    if (bytes > RESPONSE_BYTES_MAX) end(failed('refused', `the answer has more than ${RESPONSE_BYTES_MAX} bytes`));
  };
  const either = AbortSignal.any([signal, stop.signal]);
  return {
    fetch: async (input, init) => counted(await send(input, init), count, either),
    signal: either,
    ended: () => ended,
    endSoon() {
      forget ??= clock.after(REST_MS_MAX, () => stop.abort());
    },
    stop() {
      idle.stop();
      forget?.();
    },
  };
}

/**
 * Tells how long each piece of a body is that goes by. The signal ends it here: the one that was given with the request is
 * forgotten once the collector has taken the response, of which only the body is held.
 */
function counted(response: Response, tell: (length: number) => void, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      tell(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counting, { signal }), { status, statusText, headers });
}
