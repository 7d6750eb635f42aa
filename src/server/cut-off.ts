import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../engine/ports.js';

/** How long what comes is still thrown away after the answer was sent. */
const LINGER_MS = 500;

/**
 * Ends a connection whose request is not read to its end: it may have none. Hanging up at once would take the answer
 * along, because whoever is still sending hears of the end before it reads.
 */
export function cutOff({ raw }: FastifyRequest, reply: FastifyReply, clock: Pick<Clock, 'after'>): void {
  if (raw.complete) return;
  reply.header('connection', 'close');
  const { socket } = raw as { socket: Socket };
  // What Node calls when an answer that closes the connection is out.
  socket.destroySoon = () => {
    socket.end();
    const cancel = clock.after(LINGER_MS, () => socket.destroy());
    socket.once('close', cancel);
  };
}
