import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Clock } from '../../engine/ports.js';
import { STUCK_MS_MAX, sendPieces } from './send-pieces.js';

const NEVER = new AbortController().signal;

/** A reader that takes one piece when it is let. */
function slowReader() {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const response = new Writable({
    highWaterMark: 1,
    write(piece, _, done) {
      taken.push(String(piece));
      waiting.push(done);
    },
  });
  return { taken, response: response as unknown as ServerResponse & Writable, take: () => waiting.shift()?.() };
}

function timers() {
  const calls: { ms: number; call: () => void }[] = [];
  const after: Clock['after'] = (ms, call) => {
    const timer = { ms, call };
    calls.push(timer);
    return () => void calls.splice(calls.indexOf(timer), 1);
  };
  return { clock: { after }, ring: (ms: number) => calls.find((timer) => timer.ms === ms)?.call() };
}

test('who takes nothing for too long is let go, and no further piece is asked for', async () => {
  const { clock, ring } = timers();
  const { response, taken, take } = slowReader();
  let asked = 0;
  async function* pieces() {
    for (;;) {
      asked += 1;
      yield `piece ${asked}`;
    }
  }
  const sent = sendPieces(clock, response, pieces(), NEVER);
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([taken, asked], 'the sign of life lies before it').toEqual([[': \n\n'], 1]);
  take();
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(1);
  ring(STUCK_MS_MAX);
  await sent;
  expect([response.destroyed, asked]).toEqual([true, 1]);
});
