import { expect, test } from 'vitest';
import type { Clock } from '../../engine/ports.js';
import { watchedFetch } from './watched-fetch.js';

/** Nothing here waits for time to pass. */
const CLOCK: Clock = { nowMs: () => 0, monotonicMs: () => 0, after: () => () => {} };

/** A provider that never ends, behind a fetch that has forgotten its signal: as the one of Node does once its response is collected. */
function endless() {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => {
      isCancelled = true;
    },
  });
  return { send: async () => new Response(body), isCancelled: () => isCancelled };
}

async function readAll(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  while (!(await reader?.read())?.done);
}

test('an answer that is too long is ended, whatever has become of the request', async () => {
  const { send, isCancelled } = endless();
  const watched = watchedFetch(send, CLOCK, new AbortController().signal);
  await expect(readAll(await watched.fetch('http://x'))).rejects.toThrow();
  expect(watched.ended()).toMatchObject({ reason: 'the answer has more than 8388608 bytes' });
  expect(isCancelled()).toBe(true);
  watched.stop();
});

test('an answer that is called off is ended, whatever has become of the request', async () => {
  const { send, isCancelled } = endless();
  const stop = new AbortController();
  const watched = watchedFetch(send, CLOCK, stop.signal);
  const reader = (await watched.fetch('http://x')).body?.getReader();
  await reader?.read();
  stop.abort();
  await expect(reader?.read().then(() => reader.read())).rejects.toThrow();
  expect(isCancelled()).toBe(true);
  watched.stop();
});
