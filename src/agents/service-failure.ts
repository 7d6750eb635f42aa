import type { FailureKind } from '../core/kernel/effect.js';
import type { AskOutcome } from '../engine/ports.js';
import { failed } from './adapter.js';

const REASON_LENGTH_MAX = 1_000;

/** What a status of a service means to the matrix. Its key is ours to give, so there is no login to wait for. */
export function failureOfStatus(status: number): FailureKind {
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 429) return 'limit';
  if (status === 404) return 'not-found';
  return status === 408 || status === 409 || status >= 500 ? 'network' : 'refused';
}

/** A status, a broken connection, or something nobody foresaw. */
export function serviceFailed(failure: unknown, signal: AbortSignal): AskOutcome {
  if (signal.aborted) return failed('timeout', 'it was ended before it answered');
  const {
    status,
    retryAfterMs,
    message = String(failure),
  } = (failure ?? {}) as {
    status?: number;
    retryAfterMs?: number;
    message?: string;
  };
  const cause = (failure as { cause?: { code?: string } } | undefined)?.cause?.code;
  const reason = `${message}${cause ? ` (${cause})` : ''}`.slice(0, REASON_LENGTH_MAX);
  return failed(status === undefined ? 'network' : failureOfStatus(status), reason, retryAfterMs);
}
