import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { StopReason } from './budget.js';
import { Exchange, type ExchangeBounds, type ExchangePorts, sendRefusal } from './exchange.js';
import { Grants, type HandoffGrant } from './grants.js';
import type { PriceTable } from './prices.js';
import type { ProviderFailure } from './provider-failure.js';
import { type Refusal, stopRefusal } from './refusal.js';
import { readCredentials, readTarget, wireOfUrl } from './target.js';
import type { MeteredUsage } from './tokens.js';
import { UpstreamConnections, upstreamProblem } from './upstream.js';

export type MeterOptions = {
  prices: PriceTable;
  clock: Clock;
  /** Learns every key. */
  scrub: Scrub;
  /**
   * The sums of a token, after every piece of an answer: whoever keeps the last one loses with a crash no more than one
   * piece. They may go down, when a provider tells less than was estimated.
   */
  onUsage(handoff: HandoffGrant, usage: MeteredUsage): void;
  /** Once for each token: its budget is used up. Its agents get an error and may still try; their tree is to be ended. */
  onStop(handoff: HandoffGrant, reason: StopReason): void;
  onProvider(login: string, failure: ProviderFailure, handoff: HandoffGrant): void;
  bounds?: Partial<ExchangeBounds>;
};

export type Issued = {
  /** What the agent is given as its key; with a login of its own it is part of the address instead. */
  token: string;
  /** Without `/v1`: programs for the Messages wire add it, the others are given it. */
  baseUrl: string;
};

export type Seen = {
  login: string;
  usage: MeteredUsage;
  stop: StopReason | null;
  /** What was wrong with the provider, unless it has answered since. */
  failure: ProviderFailure | null;
};

export type Meter = {
  url: string;
  /** Refuses a provider that cannot be: CONFIG_INVALID. */
  issue(handoff: HandoffGrant): Issued;
  /** Ends what is under way and returns what came of it all. */
  revoke(token: string): Seen | undefined;
  usageOf(token: string): MeteredUsage | undefined;
  close(): Promise<void>;
};

const BOUNDS: ExchangeBounds = {
  requestsMax: 64,
  bodyBytesMax: 64 * 1024 * 1024,
  headMsMax: 10 * 60_000,
  idleMsMax: 5 * 60_000,
};
const HEADER_BYTES_MAX = 64 * 1024;
const CONNECTIONS_MAX = 1_000;
const HEADERS_MS_MAX = 20_000;
const REQUEST_MS_MAX = 5 * 60_000;

/** The proxy between agents and providers, on loopback. Nothing of what goes by is logged or kept. */
export async function createMeter(options: MeterOptions): Promise<Meter> {
  const grants = new Grants();
  const connections = new UpstreamConnections();
  const ports = exchangePorts(options, connections);
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
    const refusal = admit(grants, ports, request, response);
    if (refusal) sendRefusal(response, wireOfUrl(request.url), refusal);
  });
  // Every request on a connection listens for its end.
  server.on('connection', (socket) => socket.setMaxListeners(0));
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = HEADERS_MS_MAX;
  server.requestTimeout = REQUEST_MS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    issue: (handoff) => {
      examine(handoff, options.scrub);
      const { token, grant } = grants.issue(handoff, handoff.upstream.login.mode === 'own');
      return { token, baseUrl: `${url}/${grant.own ? `own/${token}` : `h/${grant.id}`}` };
    },
    revoke: (token) => {
      const grant = grants.revoke(token);
      for (const end of grant?.live ?? []) end();
      return grant && { login: grant.login, usage: grant.usage, stop: grant.stop, failure: grant.failure };
    },
    usageOf: (token) => grants.of(token)?.usage,
    close: async () => {
      for (const grant of grants.all()) for (const end of grant.live) end();
      connections.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function exchangePorts(options: MeterOptions, connections: UpstreamConnections): ExchangePorts {
  const { prices, clock, scrub } = options;
  return {
    ...{ connections, prices, clock, scrub },
    bounds: { ...BOUNDS, ...options.bounds },
    tellUsage: (grant) => options.onUsage(grant.given, grant.usage),
    tellStop: (grant, reason) => {
      if (grant.stop) return;
      grant.stop = reason;
      options.onStop(grant.given, reason);
    },
    tellProvider: (grant, failure) => {
      grant.failure = failure;
      options.onProvider(grant.login, failure, grant.given);
    },
  };
}

function examine({ login, upstream }: HandoffGrant, scrub: Scrub): void {
  const problem = upstreamProblem(upstream);
  if (problem) throw new BatonError('CONFIG_INVALID', `the login ${login}: ${problem}`, { login });
  if (upstream.login.mode === 'key') scrub.learn([upstream.login.key]);
}

/** Lets a request through, or says why not. */
function admit(
  grants: Grants,
  ports: ExchangePorts,
  request: IncomingMessage,
  response: ServerResponse,
): Refusal | null {
  const target = readTarget(request.method, request.url);
  if (!target) return { status: 404, code: 'baton_path_unknown', message: 'There is nothing at this address.' };
  const grant = grants.admit(readCredentials(target, request.headers));
  if ('code' in grant) return grant;
  const { endpoint } = target;
  if (!endpoint) {
    return { status: 404, code: 'baton_path_unknown', message: 'Baton lets nothing through to this address.' };
  }
  const used = endpoint.metered ? (grant.stop ?? grant.budget.used) : null;
  if (used) {
    ports.tellStop(grant, used);
    return stopRefusal(used);
  }
  if (grant.live.size >= ports.bounds.requestsMax) return tooMany(ports.bounds.requestsMax);
  new Exchange(ports, request, response, { grant, target, endpoint });
  return null;
}

function tooMany(requestsMax: number): Refusal {
  const message = `Baton lets ${requestsMax} requests of a handoff through at once.`;
  return { status: 503, code: 'baton_requests_too_many', message };
}
