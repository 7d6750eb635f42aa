import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, Step } from './model-scenario.js';
import type { ServedCount, ServedRequest } from './served-request.js';
import { type Answer, type Piece, type ScriptedWire, seenIn } from './wires/scripted-wire.js';

const GARBAGE = '\u0000<html>\u0007 502 Bad Gateway\r\n{"data: [';

export type Sending = {
  wire: ScriptedWire;
  answer: Answer;
  fault: Fault | undefined;
  count: ServedCount;
  request: ServedRequest;
  response: ServerResponse;
  /** Aborted when the client is gone or the server closes. */
  gone: AbortSignal;
};

export async function sendAnswer(sending: Sending): Promise<void> {
  const { answer, response, gone } = sending;
  if (answer.step.delay_ms) await pause(answer.step.delay_ms, undefined, { signal: gone });
  if (answer.asked.stream) await sendStream(sending);
  else await sendBody(sending);
  sending.request.complete = !response.destroyed && response.writableEnded;
}

async function sendStream(sending: Sending): Promise<void> {
  const { wire, answer, fault, count, response, gone } = sending;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const breaksAfter = fault && 'after_deltas' in fault ? (fault.after_deltas ?? 0) : Number.POSITIVE_INFINITY;
  let deltas = 0;
  for (const piece of wire.pieces(answer)) {
    if (fault?.kind === 'no-end' && piece.isLast) break;
    if (piece.text !== undefined || piece.reasoning !== undefined) {
      if (deltas >= breaksAfter) return breakOff(sending, piece);
      if (deltas > 0 && answer.step.delta_delay_ms)
        await pause(answer.step.delta_delay_ms, undefined, { signal: gone });
      deltas += 1;
    }
    await write(response, piece.frame, answer.step, gone);
    count.sent(piece);
  }
  response.end();
}

/** `next` is what would have come. */
async function breakOff({ wire, fault, answer, count, response, gone }: Sending, next: Piece): Promise<void> {
  switch (fault?.kind) {
    case 'hang':
      return untilAborted(gone);
    case 'cut':
      await write(response, next.frame.slice(0, next.frame.length >> 1), answer.step, gone);
      response.socket?.destroySoon();
      return;
    case 'garbage':
      response.end(GARBAGE);
      return;
    case 'error-event':
      response.end(wire.errorFrame(fault.type, fault.message ?? 'scripted'));
      return;
    case 'endless':
      for (;;) {
        if (answer.step.delta_delay_ms) await pause(answer.step.delta_delay_ms, undefined, { signal: gone });
        await write(response, next.frame, answer.step, gone);
        count.sent(next);
      }
  }
}

/** Of an answer that nobody can read, its bytes are what is seen. */
async function sendBody({ wire, answer, fault, count, response, gone }: Sending): Promise<void> {
  const text = JSON.stringify(wire.body(answer));
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  switch (fault?.kind) {
    case 'hang':
      count.sent({});
      return untilAborted(gone);
    case 'cut': {
      const half = text.slice(0, text.length >> 1);
      count.sent({ text: half });
      await write(response.writeHead(200, head), half, answer.step, gone);
      response.socket?.destroySoon();
      return;
    }
    case 'garbage':
      count.sent({ text: GARBAGE });
      response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE);
      return;
    default:
      // A reader who knows the length is done before this goes on.
      count.sent({ ...seenIn(answer.step), ...(answer.report && { tells: 'all' }) });
      await write(response.writeHead(200, head), text, answer.step, gone);
      response.end();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits for slow readers, so that a stream of any length needs no memory. */
async function write(response: ServerResponse, text: string, step: Step, gone: AbortSignal): Promise<void> {
  const bytes = Buffer.from(text);
  const length = step.write_bytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += length) {
    gone.throwIfAborted();
    const wentOut = response.write(bytes.subarray(at, at + length));
    if (!wentOut) await drained(response, gone);
    else if (step.write_bytes) await new Promise((resolve) => setImmediate(resolve));
  }
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(gone.reason);
    gone.addEventListener('abort', leave, { once: true });
    response.once('drain', () => {
      gone.removeEventListener('abort', leave);
      resolve();
    });
  });
}
