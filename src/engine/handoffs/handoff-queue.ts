/**
 * Work that is pulled: whoever can do it comes and takes it, for a time it has to renew.
 *
 * Q1  An offer is held by nobody or by one token. A token that lost its hold can do nothing any more.
 * Q2  Who is silent for longer than its lease has lost it: the offer goes back to its place, before younger ones.
 * Q3  However an offer ends, it settles once; claiming ends with it.
 * Q4  Who does not hear that its answer was taken says it again, and is told so; another answer has no hold any more.
 */

import { BatonError } from '../../contracts/shared/errors.js';
import { type FailureKind, NO_USAGE } from '../../core/kernel/effect.js';
import type { AskOutcome, Clock, Ids, RunId } from '../ports.js';

/** One attempt of a handoff that waits for somebody. */
export type Offer = {
  run: RunId;
  handoff: string;
  attempt: number;
  agent: string;
  /** What its taker must have. */
  labels: readonly string[];
  request: Uint8Array;
  deadlineMs: number;
};
/** `token` proves the hold; `leaseMs` is how long it lasts without a sign of life. */
export type Claimed = Offer & { token: string; leaseMs: number };
export type Taker = { agent?: string; labels?: readonly string[]; waitMs?: number };
/** That the budget is used up is the meter's to say. */
export type Unanswered = { failure: Exclude<FailureKind, 'spent'>; reason: string; retryAfterMs?: number };

type Waiting = { offer: Offer; settle(outcome: AskOutcome): void; token: string | null; forget(): void };

const LEASE_MS = 30_000;
const REASON_LENGTH_MAX = 2_000;
const ANSWERED_MAX = 100;
const FAILURES: ReadonlySet<string> = new Set<Unanswered['failure']>([
  ...(['network', 'limit', 'login', 'auth', 'not-found', 'timeout', 'crash', 'refused'] as const),
  ...(['disk-full', 'workspace'] as const),
]);
const TOO_LATE: AskOutcome = {
  type: 'failed',
  failure: 'timeout',
  reason: 'nobody answered in time',
  usage: NO_USAGE,
};

export class HandoffQueue {
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly log: (offer: Offer, text: string) => void;
  private readonly offers = new Set<Waiting>();
  private readonly takers = new Set<() => void>();
  private readonly answered = new Map<string, string>();

  constructor(clock: Clock, ids: Ids, log: (offer: Offer, text: string) => void) {
    this.clock = clock;
    this.ids = ids;
    this.log = log;
  }

  /** Settles when somebody has answered, or when the signal says that nobody needs to. */
  offer(offer: Offer, signal: AbortSignal): Promise<AskOutcome> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        offer,
        token: null,
        forget: () => {},
        settle: (outcome) => {
          waiting.forget();
          this.offers.delete(waiting);
          resolve(outcome);
        },
      };
      const onAbort = (): void => waiting.settle(TOO_LATE);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.offers.add(waiting);
      this.wake();
    });
  }

  /** The oldest offer the taker can take, as soon as there is one; undefined when it has waited long enough. */
  async claim(taker: Taker, signal: AbortSignal): Promise<Claimed | undefined> {
    const untilMs = this.clock.monotonicMs() + (taker.waitMs ?? 0);
    while (!signal.aborted) {
      const waiting = [...this.offers].find(({ offer, token }) => token === null && suits(offer, taker));
      if (waiting) return this.hold(waiting);
      const leftMs = untilMs - this.clock.monotonicMs();
      if (leftMs <= 0) return undefined;
      await this.change(leftMs, signal);
    }
    return undefined;
  }

  heartbeat(token: string): void {
    this.lease(this.heldBy(token));
  }

  /** What it has to say while it works; also a sign of life. */
  tell(token: string, text: string): void {
    const waiting = this.heldBy(token);
    this.lease(waiting);
    this.log(waiting.offer, text);
  }

  answer(token: string, text: string): void {
    if (typeof text !== 'string') throw new BatonError('SCHEMA_INVALID', `an answer is text, not ${typeof text}`);
    if (this.answered.get(token) === text) return;
    this.heldBy(token).settle({ type: 'answered', text, usage: NO_USAGE });
    this.answered.set(token, text);
    const [oldest] = this.answered.keys();
    if (this.answered.size > ANSWERED_MAX && oldest !== undefined) this.answered.delete(oldest);
  }

  fail(token: string, told: Unanswered): void {
    const { failure, reason, retryAfterMs } = told;
    if (!FAILURES.has(failure)) {
      throw new BatonError('SCHEMA_INVALID', `${failure} is none of ${[...FAILURES].join(', ')}`);
    }
    const wait = Number.isFinite(retryAfterMs) ? { retryAfterMs: Math.max(0, Number(retryAfterMs)) } : {};
    const short = String(reason ?? 'it said no more').slice(0, REASON_LENGTH_MAX);
    this.heldBy(token).settle({ type: 'failed', failure, reason: short, usage: NO_USAGE, ...wait });
  }

  /** What a token holds, while it does. */
  held(token: string): Offer | undefined {
    return [...this.offers].find((waiting) => waiting.token === token)?.offer;
  }

  private hold(waiting: Waiting): Claimed {
    const token = this.ids.uuid();
    waiting.token = token;
    this.lease(waiting);
    return { ...waiting.offer, token, leaseMs: LEASE_MS };
  }

  private lease(waiting: Waiting): void {
    waiting.forget();
    waiting.forget = this.clock.after(LEASE_MS, () => {
      waiting.token = null;
      this.wake();
    });
  }

  private heldBy(token: string): Waiting {
    const found = [...this.offers].find((waiting) => waiting.token === token);
    if (found) return found;
    throw new BatonError('HANDOFF_LOST', 'the handoff of this token is over, or somebody else has it');
  }

  private wake(): void {
    for (const call of [...this.takers]) call();
  }

  private change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.takers.delete(end);
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.clock.after(ms, end);
      this.takers.add(end);
      signal.addEventListener('abort', end);
    });
  }
}

function suits({ agent, labels }: Offer, taker: Taker): boolean {
  const has = new Set(taker.labels);
  return (taker.agent === undefined || taker.agent === agent) && labels.every((label) => has.has(label));
}
