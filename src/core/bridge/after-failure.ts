import { backOffMs } from '../job/job-matrix.js';
import type { EffectResult, FailureKind } from '../kernel/effect.js';
import { PARK_MS_DEFAULT } from '../kernel/provider-wait.js';
import type { BridgeReply, ErrorType } from './bridge-messages.js';
import type { OpenRequest } from './bridge-state.js';

type Failed = Pick<Extract<EffectResult, { type: 'Failed' }>, 'failure' | 'reason' | 'atMs' | 'retryAfterMs'>;
type Again = { againMs: number };
type Given = Pick<BridgeReply, 'status' | 'error'>;

const TIMEOUT_SECONDS_MAX = 600;
/** Each kind of failure is tried once more. */
const TRIES_MAX = 1;

/** A failed call is tried again with twice the time. */
export function timeoutSeconds({ timeout_seconds, tries }: OpenRequest): number {
  return Math.min(TIMEOUT_SECONDS_MAX, timeout_seconds * 2 ** tries.failed);
}

/** What an ask without an answer comes to: asked again under the same id, or said to the orchestrator. */
export function afterFailure({ tries, agent_name }: OpenRequest, failed: Failed): Again | Given {
  const { failure, atMs, reason, retryAfterMs } = failed;
  // Nobody who queues is asked before the login works again.
  if (failure === 'login') return { againMs: atMs };
  if (failure === 'limit') return { againMs: atMs + (retryAfterMs ?? PARK_MS_DEFAULT) };
  if (failure === 'timeout') {
    if (tries.timeout < TRIES_MAX) return { againMs: atMs };
    return { status: 'timeout', error: { type: 'TIMEOUT', message: `${agent_name}: ${reason}` } };
  }
  const type = TYPES[failure];
  if (type === 'INVOCATION_FAILED' && tries.failed < TRIES_MAX) {
    return { againMs: failure === 'network' ? atMs + backOffMs(1, atMs, retryAfterMs) : atMs };
  }
  return { status: 'error', error: { type, message: `${agent_name}: ${reason}` } };
}

const TYPES: Readonly<Record<Exclude<FailureKind, 'login' | 'limit' | 'timeout'>, ErrorType>> = {
  network: 'INVOCATION_FAILED',
  crash: 'INVOCATION_FAILED',
  auth: 'INVOCATION_FAILED',
  refused: 'INVOCATION_FAILED',
  spent: 'INVOCATION_FAILED',
  'not-found': 'AGENT_NOT_FOUND',
  'disk-full': 'UNKNOWN',
  workspace: 'UNKNOWN',
};
