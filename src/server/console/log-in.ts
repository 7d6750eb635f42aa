import type { FastifyInstance, FastifyReply } from 'fastify';
import { BatonError } from '../../contracts/shared/errors.js';
import { allowedTo } from '../../core/access/role.js';
import type { OwnAddress } from '../../transports/same-site.js';
import type { Sessions } from '../guard/sessions.js';
import { cookieName, pageProblem } from '../guard/shown.js';
import type { Described } from '../open-api.js';

/** Of a body that is read before anybody is known. */
const CODE_BYTES_MAX = 1_024;

type Around = { sessions: Sessions; address(): OwnAddress; version: string };

/** What is told about them. They are no rows of the API: what they give belongs to a browser, not to a token. */
export const LOG_IN_ROUTES: readonly Described[] = [
  {
    ...{ method: 'POST', path: '/api/v1/console/links', verb: 'console.open', status: 201 },
    summary: 'A link that logs a browser in, once.',
  },
  {
    ...{ method: 'POST', path: '/api/v1/console/session', verb: 'open', status: 201, takes: 'anything' },
    summary: 'Log a browser in with the code of a link.',
  },
  { method: 'DELETE', path: '/api/v1/console/session', verb: 'look', summary: 'Log a browser out.' },
  { method: 'GET', path: '/api/v1/whoami', verb: 'look', summary: 'Whose token this is.' },
];

/** How a browser comes to stand for a token: a link made with the token, its code for a cookie, and the way out. */
export function logInRoutes(app: FastifyInstance, { sessions, address, version }: Around): void {
  app.post('/api/v1/console/links', { config: { verb: 'console.open' } }, async (request, reply) => {
    // Whoever got hold of a session must not be able to make it last.
    if (request.shown?.by !== 'token') {
      throw new BatonError(
        'FORBIDDEN',
        'a link is made with a token',
        undefined,
        'Make it at a terminal: baton console.',
      );
    }
    const { code, seconds } = sessions.link(request.shown.secret);
    return reply.status(201).send({ url: `${address().origin}/login#${code}`, seconds });
  });
  app.post(
    '/api/v1/console/session',
    { bodyLimit: CODE_BYTES_MAX, config: { verb: 'open' } },
    async (request, reply) => {
      const problem = pageProblem(request, address());
      if (problem) throw problem;
      const { code } = (request.body ?? {}) as { code?: unknown };
      const begun = typeof code === 'string' ? await sessions.begin(code) : undefined;
      if (!begun) {
        const reason = 'this link was used already, or is older than a minute';
        throw new BatonError('UNAUTHENTICATED', reason, undefined, 'Make another one at a terminal: baton console.');
      }
      setCookie(reply, address(), begun.session, begun.seconds);
      return reply.status(201).send({ proof: begun.proof });
    },
  );
  app.delete('/api/v1/console/session', { config: { verb: 'look' } }, async (request, reply) => {
    if (request.shown?.by !== 'session') throw new BatonError('USAGE', 'only a browser is logged in');
    await sessions.end(request.shown.secret);
    setCookie(reply, address(), '', 0);
    // Not "cookies": that would take those of every other program at this address with it.
    return reply.header('clear-site-data', '"cache", "storage"').send({ ok: true });
  });
  app.get('/api/v1/whoami', { config: { verb: 'look' } }, async ({ who }) => ({
    ...who,
    may: who ? allowedTo(who.role) : [],
    version,
  }));
}

function setCookie(reply: FastifyReply, address: OwnAddress, value: string, seconds: number): void {
  const secure = address.origin.startsWith('https:') ? '; Secure' : '';
  const kept = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
  reply.header('set-cookie', `${cookieName(address)}=${value}; ${kept}`);
}
