import { createServer, type Server, type Socket } from 'node:net';
import { addressOf, type NetPlace, type Place } from './address.js';
import type { Listening } from './listen.js';
import { closeServer, listenAt } from './listen-at.js';
import { serveStream } from './serve-stream.js';
import type { SessionHost } from './session-host.js';

const KEEP_ALIVE_MS = 30_000;

export async function listenTcp(place: Place, host: SessionHost): Promise<Listening> {
  const net = place as NetPlace;
  const server = socketServer((socket) => void serveStream(host, { input: socket, output: socket }));
  const port = await listenAt(server, net);
  return { address: addressOf({ ...net, port }), close: () => closeServer(server) };
}

/** Whoever has sent everything still gets its answers, so the other direction stays open. */
export function socketServer(serve: (socket: Socket) => void): Server {
  const options = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
  return createServer(options, serve);
}
