import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { BatonError } from '../contracts/shared/errors.js';
import type { RunId } from '../engine/ports.js';
import { LINE_BYTES_MAX } from '../engine/session/read-submission.js';
import { addressOf, hostAndPort, type NetPlace, type Place } from './address.js';
import { bearerOf } from './bearer.js';
import { eventText } from './event-line.js';
import type { Listening } from './listen.js';
import { closeServer, listenAt } from './listen-at.js';
import { refuseUpgrade } from './refuse-upgrade.js';
import { type OwnAddress, visitorProblem } from './same-site.js';
import { type HostOptions, SessionHost } from './session-host.js';

/** A message above the limit is refused as such; one above this is not even kept, and ends the connection (1009). */
const MESSAGE_BYTES_MAX = 2 * LINE_BYTES_MAX;
const BUFFERED_BYTES_MAX = 64 * 1024;
const HEADERS_MS = 5000;

export async function listenWebSocket(place: Place, host: SessionHost): Promise<Listening> {
  const net = place as NetPlace;
  const http = createServer({ headersTimeout: HEADERS_MS, keepAlive: true }, onlyUpgrades);
  let own: readonly OwnAddress[] = [];
  const server = new WebSocketServer({
    ...{ noServer: true, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false, clientTracking: true },
  });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const problem = visitorProblem(request, own);
    if (problem) return refuseUpgrade(socket, problem);
    server.handleUpgrade(request, socket, head, (opened) => {
      void serveWebSocket(host, opened, bearerOf(request.headers.authorization));
    });
  });
  const port = await listenAt(http, net);
  own = [hostAndPort(net.host, port), `localhost:${port}`].map((name) => ({ host: name, origin: `http://${name}` }));
  return {
    address: addressOf({ ...net, port }),
    async close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      http.closeAllConnections();
      await closeServer(http);
    },
  };
}

/** Connections that another server has looked at and hands over. */
export class SessionSockets {
  private readonly host: SessionHost;
  private readonly server = new WebSocketServer({
    ...{ noServer: true, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false, clientTracking: true },
  });

  constructor(options: HostOptions) {
    this.host = new SessionHost(options);
  }

  /** `session`: to attach to, for whoever is known by the header. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, session: RunId | null): void {
    this.server.handleUpgrade(request, socket, head, (opened) => {
      void serveWebSocket(this.host, opened, bearerOf(request.headers.authorization), session);
    });
  }

  close(): void {
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
    this.host.close();
  }
}

function onlyUpgrades(_: IncomingMessage, response: ServerResponse): void {
  const hint = 'Open a WebSocket at this address; the API is served by baton serve.';
  const problem = new BatonError('USAGE', 'only WebSockets are opened here', undefined, hint);
  const headers = { connection: 'close', upgrade: 'websocket', 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(426, headers).end(JSON.stringify(problem.toObject()));
}

/** One message is one line, both ways. */
async function serveWebSocket(
  host: SessionHost,
  socket: WebSocket,
  bearer: string | undefined,
  session: RunId | null = null,
): Promise<void> {
  const room = new SocketRoom(socket);
  // Before anything is awaited: what comes meanwhile would be lost.
  socket.pause();
  socket.on('error', () => socket.terminate());
  const connection = await host.connect({
    bearer,
    send: (event) => room.write(eventText(event)),
    close: () => socket.close(),
    cut: () => socket.terminate(),
  });
  if (!connection) return socket.resume();
  socket.on('close', () => host.leave(connection));
  let waiting = 0;
  socket.on('message', (data: RawData) => {
    waiting += 1;
    socket.pause();
    void connection.take(data as Buffer).then(() => {
      waiting -= 1;
      if (waiting === 0) socket.resume();
    });
  });
  if (session !== null && connection.isKnown) {
    await connection.take(JSON.stringify({ id: 'attach', op: { type: 'attach', session_id: session } }));
  }
  if (socket.readyState === socket.CLOSED) host.leave(connection);
  socket.resume();
}

class SocketRoom {
  private readonly socket: WebSocket;
  private waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('close', () => this.release());
  }

  write(text: string): Promise<void> | undefined {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return undefined;
    socket.send(text, () => {
      if (socket.bufferedAmount <= BUFFERED_BYTES_MAX) this.release();
    });
    if (socket.bufferedAmount <= BUFFERED_BYTES_MAX) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private release(): void {
    for (const go of this.waiting.splice(0)) go();
  }
}
