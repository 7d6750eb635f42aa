import type { FastifyReply, FastifyRequest } from 'fastify';
import { BatonError } from '../../contracts/shared/errors.js';
import { LEAST_ROLE, may, type Verb } from '../../core/access/role.js';
import type { Identity } from '../route.js';
import type { Access } from './access.js';
import { Rate } from './rate.js';
import { hostProblem, type OwnAddress, siteProblem } from './same-site.js';

const REQUESTS_PER_SECOND = 200;

type Around = { access: Access; address(): OwnAddress; nowMs(): number };

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
  admit(request: FastifyRequest, verb: Verb | 'open' | undefined): Identity | undefined {
    const address = this.around.address();
    refuse(hostProblem(request.raw, address));
    refuse(siteProblem(request.headers, address));
    const token = tokenIn(request.headers.authorization);
    const who = token === undefined ? undefined : this.around.access.identify(token);
    if (!this.rate.takes(who?.name ?? `from ${request.ip}`)) {
      throw new BatonError('RATE_LIMITED', `more than ${REQUESTS_PER_SECOND} requests a second`);
    }
    if (verb === 'open') return undefined;
    if (!who) throw new BatonError('UNAUTHENTICATED', token === undefined ? 'no token' : 'this token does not count');
    const wanted = verb ?? 'look';
    if (!may(who.role, wanted)) {
      const needed = LEAST_ROLE[wanted];
      throw new BatonError('FORBIDDEN', `${who.name} is ${who.role}; ${wanted} is for ${needed}`, { needed });
    }
    refuse(bodyProblem(request));
    return who;
  }
}

function refuse(problem: BatonError | undefined): void {
  if (problem) throw problem;
}

function tokenIn(header: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/.exec(header ?? '')?.[1];
}

/** One way to send a body, so that nothing a form of another site can send is ever read. */
function bodyProblem({ headers, method }: FastifyRequest): BatonError | undefined {
  const brings = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (headers['content-encoding'] !== undefined) {
    return new BatonError('UNSUPPORTED_MEDIA', `a body in ${JSON.stringify(headers['content-encoding'])} is not read`);
  }
  if (!brings || method === 'GET') return undefined;
  const type = headers['content-type'] ?? '';
  if (/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(type)) return undefined;
  return new BatonError('UNSUPPORTED_MEDIA', `a body of the type ${JSON.stringify(type)} is not read`);
}

/** For every answer, also refusals. */
export function strictHeaders(reply: FastifyReply): void {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
}
