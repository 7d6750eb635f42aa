import { addUsage, type FailureKind, NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { AskOutcome } from '../../engine/ports.js';
import { failed } from '../adapter.js';
import type { StopReason } from '../proxy/budget.js';
import type { Seen } from '../proxy/create-meter.js';

/** An agent that fails in one of these ways may do so because of its provider. */
const MAY_BE_THE_PROVIDER: ReadonlySet<FailureKind> = new Set(['crash', 'network', 'auth', 'limit', 'refused']);

/**
 * What the proxy saw counts more than what the agent made of it. An answer stands, whatever it cost. `address`: where
 * Baton itself has asked.
 */
export function meteredOutcome(outcome: AskOutcome, seen: readonly Seen[], address?: string): AskOutcome {
  const asked = seen.some((one) => one.usage.requests > 0);
  const usage = asked ? seen.map((one) => one.usage as Usage).reduce(addUsage, NO_USAGE) : outcome.usage;
  if (outcome.type !== 'failed') return { ...outcome, usage };
  const { thread } = outcome;
  return { ...why(outcome, seen, address), usage, ...(thread !== undefined && { thread }) };
}

function why(outcome: FailedOutcome, seen: readonly Seen[], address?: string): FailedOutcome {
  const stop = seen.find((one) => one.stop)?.stop;
  if (stop) return stopped(stop);
  const { login, failure } = seen.find((one) => one.failure) ?? {};
  if (!failure || !MAY_BE_THE_PROVIDER.has(outcome.failure)) return outcome;
  if (address !== undefined) return addressed(outcome, failure, address);
  // Its log has all it said; most repeat what they were told.
  const [first = ''] = outcome.reason.split('\n');
  const agent =
    first.length > AGENT_LENGTH_MAX ? `${first.slice(0, AGENT_LENGTH_MAX).replace(/[\ud800-\udbff]$/, '')}…` : first;
  return failed(failure.kind, `${login} ${said(failure.reason)}; the agent: ${agent}`, failure.retryAfterMs);
}

/** Nobody stands between: its words are those of the provider. */
function addressed({ reason }: FailedOutcome, failure: ProviderFailure, address: string): FailedOutcome {
  const [code = ''] = failure.reason.split(' ');
  const words = code in SAID ? ` ${said(failure.reason)}` : `: ${reason}`;
  return failed(failure.kind, `${address}${words}`, failure.retryAfterMs);
}

type ProviderFailure = NonNullable<Seen['failure']>;

type FailedOutcome = Extract<AskOutcome, { type: 'failed' }>;

const AGENT_LENGTH_MAX = 60;
const SAID: Readonly<Record<string, string>> = {
  baton_upstream_unreachable: 'cannot be reached',
  baton_upstream_redirect: 'redirects, which is not followed',
  baton_upstream_encoding: 'compresses its answers, which cannot be counted',
  baton_upstream_timeout: 'did not answer in time',
};

/** In words for a person; what the provider itself said stays as it is. */
function said(reason: string): string {
  const [code = '', detail] = reason.split(' ');
  if (!(code in SAID)) return `says ${reason}`;
  return detail === undefined ? `${SAID[code]}` : `${SAID[code]} (${detail})`;
}

/** A program that was to have a key and got none fails in its own words, which seldom say so. */
export function withoutKey(outcome: AskOutcome, missing: readonly string[]): AskOutcome {
  if (outcome.type !== 'failed' || missing.length === 0) return outcome;
  return { ...outcome, reason: `${missing.join(', ')} is not set; the agent: ${outcome.reason}` };
}

export function stopped(stop: StopReason): Extract<AskOutcome, { type: 'failed' }> {
  switch (stop.kind) {
    case 'tokens':
      return failed('spent', `${stop.spent} of ${stop.max} tokens were used up in the middle of a turn`);
    case 'cost':
      return failed(
        'spent',
        `${usd(stop.spentMicroUsd)} of ${usd(stop.maxMicroUsd)} were used up in the middle of a turn`,
      );
    case 'price-missing':
      return failed('refused', `money is limited, and what ${stop.model} costs is not known: limit its tokens as well`);
    default:
      return unreachable(stop);
  }
}

const usd = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(2)}`;
