import { backOffMs, FAILURE_ROWS } from '../job/job-matrix.js';
import type { EffectResult, FailureKind } from '../kernel/effect.js';
import { PARK_MS_DEFAULT } from '../kernel/provider-wait.js';
import type { StageRun } from './envelope-state.js';
import type { StageError } from './stage-end.js';

type Failed = Extract<EffectResult, { type: 'Failed' }>;

/** What an ask without an answer comes to, by the same matrix as in jobs: asked again, or the stage has failed. */
export function afterFailure({ repeats, by }: StageRun, failed: Failed): { againMs: number } | StageError {
  const { failure, atMs, retryAfterMs, reason } = failed;
  const { response } = FAILURE_ROWS[failure];
  // Nobody who queues is asked before the login works again.
  if (failure === 'login') return { againMs: atMs };
  if (response.does === 'PARK') return { againMs: atMs + (retryAfterMs ?? PARK_MS_DEFAULT) };
  if (response.does === 'RETRY' && repeats < response.retries && failure !== 'spent') {
    return { againMs: atMs + backOffMs(repeats + 1, atMs, retryAfterMs) };
  }
  const agent = 'agent' in by ? by.agent : 'tools';
  return {
    error_type: TYPES[failure] ?? 'AgentError',
    message: `${agent}: ${reason}`,
    recoverable: PASSES.includes(failure),
    details: { agent, failure },
  };
}

const TYPES: Partial<Record<FailureKind, string>> = {
  timeout: 'AgentTimeout',
  'not-found': 'AgentNotFound',
  network: 'AgentUnreachable',
};
/** Sending the envelope again may help. */
const PASSES: readonly FailureKind[] = ['network', 'timeout', 'crash'];
