import type { IncomingHttpHeaders } from 'node:http';
import type { FailureKind } from '../../core/kernel/effect.js';
import { retryAfterMs } from './retry-after.js';
import { record } from './wires/wire.js';

/** What is wrong with a provider or a login, in the words of the escalation matrix. */
export type ProviderFailure = {
  kind: Extract<FailureKind, 'network' | 'limit' | 'login' | 'auth'>;
  /** Status and the provider's own word for it, never its text: that may hold what the agent sent. */
  reason: string;
  retryAfterMs?: number;
};

export type LoginMode = 'key' | 'own';

const LIMIT = /^(rate_limit|usage_limit_reached|tokens$|requests$|too_many_requests)/;
/** Waiting does not help; somebody has to pay. */
const UNPAID = /^(insufficient_quota|billing|usage_not_included)/;
const UNKNOWN_LOGIN = /^(authentication_error|permission_error|invalid_api_key|invalid_authentication|token_expired)/;
const BROKEN = /^(overloaded|api_error|server_error|server_is_overloaded|internal|timeout|slow_down)/;
/** Longer ones, or with digits, may be something that is repeated, a key even. */
const WORD = /^[a-z_]{1,40}$/;

type Told = { status?: number; headers: IncomingHttpHeaders; type?: unknown; message?: unknown; error?: object };

/** Null when the request was at fault, not the provider. */
export function failureOf(told: Told, login: LoginMode, nowMs: number): ProviderFailure | null {
  const word = typeof told.type === 'string' && WORD.test(told.type) ? told.type : '';
  const kind = kindOf(told.status, word, login);
  if (!kind) return null;
  const reason = [told.status === undefined ? 'in a stream' : `HTTP ${told.status}`, word].filter(Boolean).join(' ');
  const waitMs = kind === 'limit' || kind === 'network' ? retryAfterMs(told, nowMs) : undefined;
  return { kind, reason, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
}

function kindOf(status: number | undefined, word: string, login: LoginMode): ProviderFailure['kind'] | null {
  const unknownLogin = login === 'own' ? 'login' : 'auth';
  if (status === 402 || UNPAID.test(word)) return 'auth';
  if (status === 401 || status === 403 || UNKNOWN_LOGIN.test(word)) return unknownLogin;
  if (status === 429 || LIMIT.test(word)) return 'limit';
  if ((status !== undefined && status >= 500) || status === 408 || BROKEN.test(word)) return 'network';
  return null;
}

/** The error object in the body of an answer, whichever wire it is of. */
export function errorIn(body: string): { type?: unknown; message?: unknown; error?: object } {
  try {
    const error = record(record(JSON.parse(body)).error);
    return { type: error.code ?? error.type, message: error.message, error };
  } catch {
    return {};
  }
}
