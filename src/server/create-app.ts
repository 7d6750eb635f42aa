import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { toldError } from '../contracts/envelope/told-error.js';
import { parseContract } from '../contracts/shared/contract.js';
import { BatonError } from '../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../contracts/shared/read-json.js';
import { findRepeat, type Outcome, orThrow } from '../engine/dispatch.js';
import type { Baton } from '../engine/opened-baton.js';
import type { OwnAddress } from '../transports/same-site.js';
import { clientErrorReply } from './client-error.js';
import { LOG_IN_ROUTES, logInRoutes } from './console/log-in.js';
import { serveConsole } from './console/serve-console.js';
import { cutOff } from './cut-off.js';
import type { Access } from './guard/access.js';
import { type Admission, Guard, strictHeaders } from './guard/guard.js';
import { Refusals } from './guard/refusals.js';
import { type SessionKeeper, Sessions } from './guard/sessions.js';
import type { Shown } from './guard/shown.js';
import { badText, problemOf } from './http-problem.js';
import { logRequests } from './log/log-requests.js';
import type { ServerLog } from './log/server-log.js';
import { Metrics } from './metrics/metrics.js';
import { serveMetrics } from './metrics/serve-metrics.js';
import { openApi } from './open-api.js';
import { Lines } from './read-lines.js';
import { Answer, type Asked, type Identity, type Route } from './route.js';
import { ROUTES } from './routes/all.js';
import { serveSessionSockets } from './sessions/session-sockets.js';
import { Standing } from './standing/standing.js';
import { EventFeed } from './stream/event-feed.js';
import { sendPieces } from './stream/send-pieces.js';
import type { Telemetry } from './telemetry/telemetry.js';

export type AppOptions = {
  baton: Baton;
  access: Access;
  /** Known once it listens. */
  address(): OwnAddress;
  version: string;
  https?: { cert: string; key: string };
  /** Where the console was built; without one there is only the API. */
  consoleFolder?: string;
  log: ServerLog;
  telemetry: Telemetry;
  sessionKeeper: SessionKeeper;
};

const HEAD_MS_MAX = 5_000;
const REQUEST_MS_MAX = 15_000;
const HEAD_BYTES_MAX = 16 * 1024;
const CONNECTIONS_MAX = 1_000;
const STREAMS_MAX = 500;
const LOOK_MS = 500;
const LOOK_AGAIN_MS = 5_000;
const KEY_LENGTH_MAX = 200;

declare module 'fastify' {
  interface FastifyRequest {
    who?: Identity;
    shown?: Shown;
  }
}

/** The whole API as one app. Each address is a row of ROUTES; what is the same for all of them is here. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { baton, access, address } = options;
  const app = Fastify({
    bodyLimit: BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    http: {
      headersTimeout: HEAD_MS_MAX,
      maxHeaderSize: HEAD_BYTES_MAX,
      connectionsCheckingInterval: LOOK_MS,
      requireHostHeader: false,
    },
    ...(options.https && { https: options.https }),
    genReqId: () => baton.ids.uuid(),
    clientErrorHandler: clientErrorReply,
    // An address that cannot be read: even that is only told to who may look.
    frameworkErrors: (failure: unknown, request: FastifyRequest, reply: FastifyReply) =>
      refuse(request, reply, problemAt(() => guard.admit(request, undefined)) ?? failure),
    return503OnClosing: true,
    forceCloseConnections: true,
  } as object) as FastifyInstance;
  app.server.maxConnections = CONNECTIONS_MAX;
  const nowMs = () => baton.clock.monotonicMs();
  const sessions = new Sessions({ access, clock: baton.clock, keeper: options.sessionKeeper });
  await sessions.load();
  const guard = new Guard({ access, sessions, address, nowMs });
  const refusals = new Refusals(baton);
  const metrics = new Metrics(baton);
  const feed = new EventFeed(baton.store, (row) => {
    metrics.see(row);
    options.telemetry.see(row);
  });
  await feed.start();
  const standing = new Standing(baton, options.version);
  const closeSockets = serveSessionSockets(app.server, options);
  app.addHook('preClose', closeSockets);
  app.addHook('onClose', async () => {
    feed.close();
    standing.close();
    await Promise.all([refusals.tell(), options.telemetry.close()]);
  });
  app.addHook('onSend', async (request, reply) => {
    strictHeaders(reply);
    cutOff(request, reply, baton.clock);
  });
  logRequests(app, options.log);
  admitFirst(app, guard);
  readBodies(app);
  serveMetrics(app, metrics);
  function refuse(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
    const { status, error } = problemOf(failure);
    if (status === 500) options.log.problem(failure, { req_id: request.id });
    if ([401, 403, 421, 429].includes(status)) refusals.note(refusalOf(request, error));
    strictHeaders(reply);
    const { tellsErrors } = (request.routeOptions.config ?? {}) as { tellsErrors?: true };
    return reply.status(status).send(tellsErrors ? toldError(error) : error.toObject());
  }
  app.setErrorHandler((failure, request, reply) => refuse(request, reply, failure));
  app.setNotFoundHandler((request) => {
    throw missing(request);
  });
  serveAddresses(app, { ...options, sessions, standing }, feed);
  return app;
}

function serveAddresses(app: FastifyInstance, options: Serving, feed: EventFeed): void {
  const { baton, access } = options;
  for (const path of ['/healthz', '/readyz']) {
    app.get(path, { config: { verb: 'open' } }, async (request) => {
      const { challenge } = request.query as { challenge?: unknown };
      return { ok: true, position: await baton.store.position(), ...access.proof(challenge) };
    });
  }
  logInRoutes(app, options);
  if (options.consoleFolder !== undefined) serveConsole(app, options.consoleFolder);
  const description = openApi([...ROUTES, ...LOG_IN_ROUTES], options.version);
  app.get('/openapi.json', { config: { verb: 'look' } }, async () => description);
  const serve = serving(options, new Streams(), feed);
  for (const route of ROUTES) {
    const { method, path: url, verb, tellsErrors } = route;
    app.route({
      method,
      url,
      config: { verb, tellsErrors },
      handler: (request, reply) => serve(route, request, reply),
    });
  }
}

/** Nothing of a body is read before it is known who sends it. */
function admitFirst(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', async (request, reply) => {
    const { verb } = request.routeOptions.config as { verb?: Admission };
    guard.admit(request, verb);
    if (request.headers.expect !== undefined && request.raw.httpVersion === '1.1') reply.raw.writeContinue();
  });
  // Whoever waits to be asked for a body is asked when it is known who it is, and not by Node before.
  for (const waiting of ['checkContinue', 'checkExpectation']) app.server.on(waiting, app.routing);
}

function problemAt(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (problem) {
    return problem;
  }
}

/** How many streams there are, and of whom. */
class Streams {
  open = 0;
}

type Serving = AppOptions & { sessions: Sessions; standing: Standing };

function serving({ baton, access, sessions, standing }: Serving, streams: Streams, feed: EventFeed) {
  return async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { who } = request;
    if (!who) throw new BatonError('UNAUTHENTICATED', 'no token');
    const gone = new AbortController();
    request.raw.once('close', () => request.raw.destroyed && gone.abort());
    reply.raw.once('close', () => gone.abort());
    const asked = await askedIn({ baton, standing }, route, request, who, gone.signal);
    if (route.stream && request.headers.accept?.includes('text/event-stream')) {
      return stream({ baton, access, sessions, streams, feed }, route.stream, asked as Asked, request, reply);
    }
    const value = await route.answer(asked as Asked<never>);
    const answer = value instanceof Answer ? value : new Answer(route.status ?? 200, value);
    return reply.status(answer.status).headers(answer.headers).send(answer.value);
  };
}

async function askedIn(
  { baton, standing }: Pick<Asked, 'baton' | 'standing'>,
  route: Route,
  request: FastifyRequest,
  who: Identity,
  signal: AbortSignal,
): Promise<Asked<unknown>> {
  const given = request.body ?? (route.body ? {} : undefined);
  if (given !== undefined && !route.body && !route.takes && route.method !== 'GET') {
    throw new BatonError('USAGE', 'there is nothing to be said with this');
  }
  if (given instanceof Lines && route.takes !== 'lines') {
    throw new BatonError('UNSUPPORTED_MEDIA', 'this takes one object, not lines of them');
  }
  const body = route.body ? parseContract(route.body, given, { strict: true }) : given;
  const key = keyIn(baton, request, who);
  const repeat = await findRepeat(baton, key);
  return {
    ...{ baton, standing, who, signal, body },
    params: request.params as Record<string, string>,
    query: queryIn(request),
    by: { actor: who.name, ...key },
    repeated: repeat ? repeatedIn(repeat) : null,
  };
}

/** Each name once: of two values nobody knows which is meant. */
function queryIn(request: FastifyRequest): Record<string, string> {
  const found = Object.entries(request.query as Record<string, unknown>);
  for (const [name, value] of found) {
    if (typeof value !== 'string') throw new BatonError('USAGE', `${name} is there twice`, { path: `?${name}` });
  }
  return Object.fromEntries(found) as Record<string, string>;
}

/** The same key with the same request is the same act; with another request it is refused. */
function keyIn(baton: Baton, request: FastifyRequest, { name }: Identity): Pick<Asked['by'], 'key'> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method === 'GET') return {};
  if (typeof key !== 'string' || key.length > KEY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(key)) {
    throw new BatonError('USAGE', `an Idempotency-Key has 1 to ${KEY_LENGTH_MAX} printable characters`);
  }
  const payload = baton.hasher.sha256(JSON.stringify([request.method, request.url, request.body ?? null]));
  return { key: { scope: `http:${name}`, key, payload } };
}

function repeatedIn(repeat: Outcome): string | null {
  const outcome = orThrow(repeat);
  return outcome.type === 'repeated' ? outcome.answer : null;
}

type Streaming = { baton: Baton; access: Access; sessions: Sessions; streams: Streams; feed: EventFeed };

async function stream(
  { baton, access, sessions, streams, feed }: Streaming,
  begin: NonNullable<Route['stream']>,
  asked: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (streams.open >= STREAMS_MAX) throw new BatonError('RATE_LIMITED', `there are ${STREAMS_MAX} streams already`);
  const last = request.headers['last-event-id'];
  const revoked = new AbortController();
  const look = (): void => {
    if (!request.shown?.who()) revoked.abort();
  };
  // Sessions and tokens end by themselves, too.
  const looking = setInterval(look, LOOK_AGAIN_MS);
  const unwatch = [access.onChange(look), sessions.onChange(look), () => clearInterval(looking)];
  streams.open += 1;
  try {
    const signal = AbortSignal.any([asked.signal, revoked.signal]);
    const pieces = await begin({ ...asked, signal }, { feed, last: typeof last === 'string' ? last : undefined });
    if (pieces === null) return reply.status(204).send();
    reply.hijack();
    strictHeaders(reply);
    const headers = { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' };
    reply.raw.writeHead(200, headers);
    await sendPieces(baton.clock, reply.raw, pieces, signal);
  } finally {
    streams.open -= 1;
    for (const end of unwatch) end();
  }
}

/** Read as every other text from outside, whatever the framework would accept. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      const read = readJson(bytes);
      if ('denial' in read) throw badText(read.denial);
      return read.value;
    },
  );
  app.addContentTypeParser(
    'application/x-ndjson',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => new Lines(bytes),
  );
}

function refusalOf(request: FastifyRequest, { code }: BatonError) {
  const [path = ''] = request.url.split('?');
  return { code, method: request.method, path, from: request.ip, by: request.who?.name ?? null };
}

function missing(request: FastifyRequest): BatonError {
  const [path = ''] = request.url.split('?');
  const allowed = ROUTES.filter((route) => patternOf(route.path).test(path)).map(({ method }) => method);
  if (allowed.length === 0) return new BatonError('ROUTE_NOT_FOUND', `there is nothing at ${path}`, { path });
  return new BatonError('METHOD_NOT_ALLOWED', `${request.method} is not for ${path}`, { allowed });
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/:[a-z]+/g, '[^/]+')
      .replace('*', '.+')}$`,
  );
}
