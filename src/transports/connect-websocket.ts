import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { WireEvent } from '../engine/session/session-desk.js';
import { type NetPlace, type Place, urlOf } from './address.js';
import { EventQueue } from './event-queue.js';
import type { SessionClient } from './session-client.js';

export async function connectWebSocket(place: Place, token: string | undefined): Promise<SessionClient> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(urlOf('ws', place as NetPlace), { headers, perMessageDeflate: false });
  const events = new EventQueue();
  socket.on('message', (data) => {
    const room = events.add(JSON.parse(String(data)) as WireEvent);
    if (!room) return;
    socket.pause();
    void room.then(() => socket.resume());
  });
  socket.on('close', () => events.end());
  await once(socket, 'open');
  socket.on('error', () => socket.terminate());
  const send = (line: string | Uint8Array) =>
    new Promise<void>((resolve) => socket.send(line, { binary: typeof line !== 'string' }, () => resolve()));
  return {
    events,
    submit: (submission) => send(JSON.stringify(submission)),
    sendLine: send,
    end: () => socket.close(),
    close: () => socket.terminate(),
  };
}
