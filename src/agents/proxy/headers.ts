import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Upstream } from './upstream.js';

/** Of one connection only (RFC 9110, 7.6.1), and what the proxy decides itself. */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host', 'expect', 'accept-encoding'],
]);
/** Where keys are sent. With a key of Baton none of the agent's goes along. */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'api-key', 'cookie']);

export function requestHeaders(headers: IncomingHttpHeaders, { login }: Upstream): OutgoingHttpHeaders {
  const forwarded = withoutHops(headers);
  // A compressed answer could not be counted.
  forwarded['accept-encoding'] = 'identity';
  if (login.mode === 'own') return forwarded;
  for (const name of CREDENTIALS) delete forwarded[name];
  forwarded[login.header] = login.header === 'authorization' ? `Bearer ${login.key}` : login.key;
  return forwarded;
}

/** A header in which the provider repeats the key does not reach the agent. */
export function responseHeaders(headers: IncomingHttpHeaders, { login }: Upstream): OutgoingHttpHeaders {
  const forwarded = withoutHops(headers);
  if (login.mode === 'own') return forwarded;
  delete forwarded['set-cookie'];
  for (const [name, value] of Object.entries(forwarded)) {
    if (String(value).includes(login.key)) delete forwarded[name];
  }
  return forwarded;
}

function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name) && !named.has(name)),
  ) as OutgoingHttpHeaders;
}
