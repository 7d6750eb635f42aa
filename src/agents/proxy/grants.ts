import { createHash, randomBytes } from 'node:crypto';
import type { RunId } from '../../engine/ports.js';
import type { Budget, StopReason } from './budget.js';
import type { ProviderFailure } from './provider-failure.js';
import type { Refusal } from './refusal.js';
import { type MeteredUsage, NO_METERED_USAGE } from './tokens.js';
import type { Upstream } from './upstream.js';

/** For whom a token is, and out of which budget it spends. */
export type HandoffGrant = { run: RunId; handoff: string; login: string; upstream: Upstream; budget: Budget };

/** A token that was given out, with what it has used. */
export type Grant = HandoffGrant & {
  /** As it was asked for. */
  given: HandoffGrant;
  /** In the address the agent is given, and no secret. */
  id: string;
  /** The agent brings its own authorisation, so the token stands in the address instead. */
  own: boolean;
  usage: MeteredUsage;
  /** Requests whose figures are, or remained, estimates. */
  estimates: number;
  revoked: boolean;
  /** Why it may spend no more. That stays, also when an estimate turns out to have been too high. */
  stop: StopReason | null;
  /** What was wrong with the provider, unless it has answered since. */
  failure: ProviderFailure | null;
  /** What is under way; each ends when it is called. */
  live: Set<() => void>;
};

/** How a request says who it is. */
export type Credentials = { own: true; token: string } | { own: false; id: string; token: string | undefined };

const REVOKED_MAX = 10_000;

/** Only hashes of tokens are kept: what looks them up need not compare secrets, and no dump of the memory shows them. */
export class Grants {
  readonly #byHash = new Map<string, Grant>();
  readonly #revoked: string[] = [];

  issue(handoff: HandoffGrant, own: boolean): { token: string; grant: Grant } {
    // Scrubbing knows this shape. Learning every token by its value would make it slower with each handoff.
    const token = `sk-baton${randomBytes(32).toString('hex')}`;
    const id = randomBytes(9).toString('base64url');
    const grant: Grant = {
      ...handoff,
      given: handoff,
      id,
      own,
      usage: NO_METERED_USAGE,
      estimates: 0,
      revoked: false,
      stop: null,
      failure: null,
      live: new Set(),
    };
    this.#byHash.set(hashOf(token), grant);
    return { token, grant };
  }

  of(token: string): Grant | undefined {
    return this.#byHash.get(hashOf(token));
  }

  /** Its usage can still be asked for, until many others were revoked. */
  revoke(token: string): Grant | undefined {
    const hash = hashOf(token);
    const grant = this.#byHash.get(hash);
    if (!grant || grant.revoked) return grant;
    grant.revoked = true;
    this.#revoked.push(hash);
    if (this.#revoked.length > REVOKED_MAX) this.#byHash.delete(this.#revoked.shift() ?? '');
    return grant;
  }

  admit(credentials: Credentials): Grant | Refusal {
    const { token } = credentials;
    if (token === undefined) return refused(401, 'baton_token_missing', 'The request has no token of Baton.');
    const grant = this.of(token);
    if (!grant) return refused(401, 'baton_token_unknown', 'Baton gave out no such token.');
    if (grant.revoked) return refused(401, 'baton_token_revoked', 'The handoff of this token is over.');
    const fits = credentials.own ? grant.own : !grant.own && grant.id === credentials.id;
    if (!fits) return refused(403, 'baton_token_of_another_handoff', 'The token belongs to another handoff.');
    return grant;
  }

  *all(): Iterable<Grant> {
    yield* this.#byHash.values();
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

function refused(status: 401 | 403, code: Refusal['code'], message: string): Refusal {
  return { status, code, message };
}
