import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { LINE_BYTES_MAX } from '../engine/session/read-submission.js';

/** A message above the limit is read to its end and refused; one above this ends the connection at once (1009). */
export const MESSAGE_BYTES_MAX = 16 * LINE_BYTES_MAX;
/** Whoever has not said who it is needs no more for that. The system hands over up to 64 KiB at once. */
const UNKNOWN_BYTES_MAX = 256 * 1024;
/** So many messages may be far above the limit at one time: each of them is held until its end. */
const LARGE_MAX = 8;
const LARGE_BYTES = 2 * LINE_BYTES_MAX;
/** What a client's ping or pong has besides its words. */
const CONTROL_BYTES = 6;
const TOO_LARGE = 1009;
/** So long who was closed has to read why. Nothing more is read of it: its own goodbye would never come. */
const FAREWELL_MS = 1_000;

export type Watched = {
  socket: WebSocket;
  /** The bytes it comes in. */
  raw: Duplex;
  isKnown(): boolean;
  /** Too much came from somebody who has not said who it is. */
  refuse(): void;
};

/**
 * The library holds a message until it is whole, up to one limit for everybody. What may really be held is less: little
 * for whoever is not known yet, and of known clients only a few at a time may send what is refused anyway.
 */
export class FrameWatch {
  private readonly large = new Set<WebSocket>();

  add({ socket, raw, isKnown, refuse }: Watched): void {
    let held = 0;
    const release = (): void => {
      held = 0;
      this.large.delete(socket);
    };
    const onControl = ({ length }: Buffer): void => {
      held = Math.max(0, held - length - CONTROL_BYTES);
    };
    // Seen before the library does, and without making it flow.
    raw.prependListener('data', ({ length }: Buffer) => {
      held += length;
      if (!isKnown() && held > UNKNOWN_BYTES_MAX) {
        socket.pause();
        refuse();
      } else if (held > LARGE_BYTES && !this.admits(socket)) {
        socket.pause();
        socket.close(TOO_LARGE);
        setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
      }
    });
    socket.on('message', release).on('close', release).on('ping', onControl).on('pong', onControl);
  }

  private admits(socket: WebSocket): boolean {
    if (this.large.size < LARGE_MAX) this.large.add(socket);
    return this.large.has(socket);
  }
}
