import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BatonError } from '../contracts/shared/errors.js';

/** Names that lead to us only; `origin` as a browser spells it. */
export type OwnAddress = { host: string; origin: string };

/** What helps a page that may not ask. */
export const FROM_HERE = 'Ask from a program, or from a page of the very address that is asked.';

/**
 * Whether a connection may be opened here at all: by a name that leads to us only, and not by a page of somebody else.
 * `own`: the first is what is told.
 */
export function visitorProblem(request: IncomingMessage, own: readonly OwnAddress[]): BatonError | undefined {
  const address = own.find(({ host }) => host === request.headers.host) ?? own[0];
  if (!address) return new BatonError('WRONG_HOST', 'nobody listens here yet');
  return hostProblem(request, address) ?? siteProblem(request.headers, address);
}

/**
 * Two of them are no name at all: who reads the first and who reads the last would not agree. A request may also name
 * its host before the path, and then that counts as well.
 */
export function hostProblem(
  { rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  { host, origin }: OwnAddress,
): BatonError | undefined {
  const named = rawHeaders.flatMap((word, index) =>
    index % 2 === 0 && word.toLowerCase() === 'host' ? [rawHeaders[index + 1] ?? ''] : [],
  );
  if (!url.startsWith('/') && !url.startsWith(`${origin}/`)) named.push(url);
  if (named.length === 1 && named[0] === host) return undefined;
  return new BatonError('WRONG_HOST', `this is ${host}, not ${named.map((one) => JSON.stringify(one)).join(' and ')}`);
}

/** A page of somebody else cannot make a browser ask in our name. Programs send neither header. */
export function siteProblem(headers: IncomingHttpHeaders, { origin }: OwnAddress): BatonError | undefined {
  if (headers.origin !== undefined && headers.origin !== origin) {
    return new BatonError(
      'FORBIDDEN',
      `a page of ${JSON.stringify(headers.origin)} may not ask here`,
      undefined,
      FROM_HERE,
    );
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const reason = `a page of another site may not ask here (${JSON.stringify(site)})`;
  return new BatonError('FORBIDDEN', reason, undefined, FROM_HERE);
}
