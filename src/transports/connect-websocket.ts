import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { SessionClient } from '../engine/session/session-client.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { type NetPlace, type Place, urlOf } from './address.js';
import { EventQueue } from './event-queue.js';

/** Whoever does not answer within this time is gone, whatever the network says. */
const SILENT_MS_MAX = 20_000;

export function connectWebSocket(place: Place, token: string | undefined): Promise<SessionClient> {
  return openWebSocket(urlOf('ws', place as NetPlace), token);
}

export async function openWebSocket(url: string, token: string | undefined): Promise<SessionClient> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, handshakeTimeout: SILENT_MS_MAX });
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
  endWhenSilent(socket);
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

function endWhenSilent(socket: WebSocket): void {
  let isHeard = true;
  socket.on('pong', () => {
    isHeard = true;
  });
  const timer = setInterval(() => {
    // While we do not read, we hear nothing either.
    if (!isHeard && !socket.isPaused) socket.terminate();
    isHeard = false;
    socket.ping();
  }, SILENT_MS_MAX);
  timer.unref();
  socket.on('close', () => clearInterval(timer));
}
