import { createServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { BatonError, ERRORS } from '../contracts/shared/errors.js';
import { addressOf, type NetPlace, type Place } from './address.js';
import { bearerOf } from './bearer.js';
import type { Listening } from './listen.js';
import { closeServer, listenAt } from './listen-at.js';
import { serveStream } from './serve-stream.js';
import type { SessionHost } from './session-host.js';

const STREAMS_MAX = 100;
/** A connection on which nobody asks for anything is let go. */
const IDLE_MS = 10_000;

const PATH = '/session';

/** `POST /session`: the bodies of the request and of the answer are lines, both open as long as the client is there. */
export async function listenHttp2(place: Place, host: SessionHost): Promise<Listening> {
  const net = place as NetPlace;
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX, enablePush: false } });
  const sessions = new Map<Http2Session, number>();
  server.on('session', (session) => {
    sessions.set(session, 0);
    session.on('error', () => session.destroy());
    session.on('close', () => sessions.delete(session));
    session.setTimeout(IDLE_MS, () => {
      if (sessions.get(session) === 0) session.close();
    });
  });
  server.on('stream', (stream, headers) => {
    const { session } = stream;
    const count = (by: number) => {
      const open = session && sessions.get(session);
      if (open !== undefined) sessions.set(session as Http2Session, open + by);
    };
    count(1);
    stream.once('close', () => count(-1));
    serve(stream as ServerHttp2Stream, headers, host);
  });
  const port = await listenAt(server, net);
  return {
    address: addressOf({ ...net, port }),
    async close() {
      for (const session of sessions.keys()) session.destroy();
      await closeServer(server);
    },
  };
}

function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, host: SessionHost): void {
  stream.on('error', () => stream.close());
  const problem = requestProblem(headers);
  if (problem) return refuse(stream, problem);
  stream.respond({ ':status': 200, 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  void serveStream(host, { input: stream, output: stream, bearer: bearerOf(headers.authorization) });
}

function requestProblem({ ':path': path = '', ':method': method = '' }: IncomingHttpHeaders): BatonError | undefined {
  if (path !== PATH) {
    const hint = `Send POST ${PATH}: the lines of a session are its body, and those of the answer.`;
    return new BatonError('ROUTE_NOT_FOUND', `there is nothing at ${path}`, { path }, hint);
  }
  if (method === 'POST') return undefined;
  return new BatonError('METHOD_NOT_ALLOWED', `${method} is not for ${path}`, { allowed: ['POST'] });
}

/** What still comes is thrown away: nobody waits for room that there never will be. */
function refuse(stream: ServerHttp2Stream, problem: BatonError): void {
  stream.resume();
  stream.respond({ ':status': ERRORS[problem.code].http, 'content-type': 'application/json; charset=utf-8' });
  stream.end(JSON.stringify(problem.toObject()));
}
