import type { FastifyRequest } from 'fastify';
import { BatonError } from '../../contracts/shared/errors.js';
import { FROM_HERE, type OwnAddress } from '../../transports/same-site.js';
import type { Identity } from '../route.js';
import { type Access, hashOf } from './access.js';
import type { Sessions } from './sessions.js';

/** What a request shows to say who sends it. `who` is asked again as long as a stream is open. */
export type Shown = {
  by: 'token' | 'session' | 'nothing';
  /** Hash of the token, or the session itself. */
  secret: string;
  who(): Identity | undefined;
};

const PROOF = 'baton-proof';
const NOTHING: Shown = { by: 'nothing', secret: '', who: () => undefined };

/** Of several servers of one machine each has a cookie of its own. */
export function cookieName({ host }: OwnAddress): string {
  return `baton-${host.slice(host.lastIndexOf(':') + 1)}`;
}

export function shownIn(request: FastifyRequest, access: Access, sessions: Sessions, address: OwnAddress): Shown {
  const { headers } = request;
  if (headers.authorization !== undefined) {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/.exec(headers.authorization)?.[1];
    if (token === undefined) return NOTHING;
    return { by: 'token', secret: hashOf(token), who: () => access.identify(token) };
  }
  const session = cookieIn(headers.cookie, cookieName(address));
  if (session === undefined) return NOTHING;
  const proof = headers[PROOF];
  const who = () => sessions.identify(session, typeof proof === 'string' ? proof : '');
  return { by: 'session', secret: session, who };
}

/** A browser sends a cookie whoever makes it ask: only a page of ours may. */
export function pageProblem(request: FastifyRequest, { origin }: OwnAddress): BatonError | undefined {
  const { origin: from, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || from === origin) return undefined;
  const reason = 'with a cookie only a page of this server may ask';
  return new BatonError('FORBIDDEN', reason, undefined, FROM_HERE);
}

/** One of that name: of two nobody knows which is meant. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 && /^[\w-]{43}$/.test(values[0] ?? '') ? values[0] : undefined;
}
