import type { FastifyReply, FastifyRequest } from 'fastify';
import { BatonError } from '../../contracts/shared/errors.js';
import { LEAST_ROLE, may, type Verb } from '../../core/access/role.js';
import { hostProblem, type OwnAddress, siteProblem } from '../../transports/same-site.js';
import type { Access } from './access.js';
import { Rate } from './rate.js';
import type { Sessions } from './sessions.js';
import { pageProblem, type Shown, shownIn } from './shown.js';

const REQUESTS_PER_SECOND = 200;

type Around = { access: Access; sessions: Sessions; address(): OwnAddress; nowMs(): number };

/** `open` is for everybody; `page` too, and a page of another site may lead to it. */
export type Admission = Verb | 'open' | 'page';

/**
 * Everything that is looked at before a body is read, in this order: whom the request means, where it comes from, how
 * often, who asks, whether they may, and what they bring.
 */
export class Guard {
  private readonly around: Around;
  private readonly rate: Rate;

  constructor(around: Around) {
    this.around = around;
    this.rate = new Rate(REQUESTS_PER_SECOND, around.nowMs);
  }

  /** `verb` is undefined where there is no such address: that too is only told to who may look. */
  admit(request: FastifyRequest, verb: Admission | undefined): void {
    const { access, sessions } = this.around;
    const address = this.around.address();
    refuse(hostProblem(request.raw, address));
    if (verb !== 'page') refuse(siteProblem(request.headers, address));
    const shown = shownIn(request, access, sessions, address);
    const who = shown.who();
    if (!this.rate.takes(who?.name ?? `from ${request.ip}`)) {
      throw new BatonError('RATE_LIMITED', `more than ${REQUESTS_PER_SECOND} requests a second`);
    }
    if (verb === 'page') return;
    if (verb === 'open') {
      refuse(expectProblem(request));
      refuse(bodyProblem(request));
      return;
    }
    if (shown.by === 'session') refuse(pageProblem(request, address));
    if (!who) throw stranger(shown, access);
    const wanted = verb ?? 'look';
    if (!may(who.role, wanted)) {
      const needed = LEAST_ROLE[wanted];
      throw new BatonError('FORBIDDEN', `${who.name} is ${who.role}; ${wanted} is for ${needed}`, { needed });
    }
    refuse(expectProblem(request));
    refuse(bodyProblem(request));
    request.who = who;
    request.shown = shown;
  }
}

const UNKNOWN: Readonly<Record<Shown['by'], string>> = {
  token: 'this token does not count',
  session: 'this browser is no longer logged in',
  nothing: 'no token',
};

function stranger({ by, secret }: Shown, access: Access): BatonError {
  const over = by === 'token' && access.hasExpired(secret);
  return over
    ? new BatonError('TOKEN_EXPIRED', 'the time of this token is over')
    : new BatonError('UNAUTHENTICATED', UNKNOWN[by]);
}

function refuse(problem: BatonError | undefined): void {
  if (problem) throw problem;
}

/** One thing can be expected: to be asked for the body, once it is known who sends it. */
function expectProblem({ headers: { expect } }: FastifyRequest): BatonError | undefined {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return new BatonError('EXPECTATION_FAILED', `nothing here does ${JSON.stringify(expect)}`);
}

/** One object, or one a line: nothing a form of another site can send is ever read. */
function bodyProblem({ headers, method }: FastifyRequest): BatonError | undefined {
  const brings = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (headers['content-encoding'] !== undefined) {
    return new BatonError('UNSUPPORTED_MEDIA', `a body in ${JSON.stringify(headers['content-encoding'])} is not read`);
  }
  if (!brings || method === 'GET') return undefined;
  const type = headers['content-type'] ?? '';
  if (/^application\/(?:json|x-ndjson)(?:\s*;\s*charset=utf-8)?$/i.test(type)) return undefined;
  return new BatonError('UNSUPPORTED_MEDIA', `a body of the type ${JSON.stringify(type)} is not read`);
}

/** For every answer, also refusals; what a route has said itself stays. */
export function strictHeaders(reply: FastifyReply): void {
  const said = reply.getHeaders();
  const strict = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  };
  reply.headers(Object.fromEntries(Object.entries(strict).filter(([name]) => said[name] === undefined)));
}
