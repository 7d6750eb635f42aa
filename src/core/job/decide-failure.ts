import type { EffectResult } from '../kernel/effect.js';
import { PARK_MS_DEFAULT, PARK_MS_MIN } from '../kernel/provider-wait.js';
import { type Attempt, endAttempt, type Goal } from './job-attempt.js';
import { backOffMs, FAILURE_ROWS } from './job-matrix.js';
import type { JobEvent } from './job-messages.js';
import type { Asked, LiveJob } from './job-state.js';

type Failed = Extract<EffectResult, { type: 'Failed' }>;

/** The matrix decides what an ask without an answer leads to. */
export function decideFailure(job: LiveJob, handoff: Asked, result: Failed): JobEvent[] {
  const { atMs, failure, reason, usage, request = null, thread } = result;
  const goal = goalAfter(job, handoff, result);
  const attempt: Attempt = {
    job,
    handoff,
    atMs,
    response: failure === 'timeout' ? 'TIMEOUT' : 'ERROR',
    action: goal.to === 'rest' ? 'STUCK' : 'RETRY',
    cause: failure,
    reason,
    unanswered: { request, usage, thread },
  };
  return endAttempt(attempt, goal);
}

function goalAfter(job: LiveJob, handoff: Asked, result: Failed): Goal {
  const { atMs, failure, retryAfterMs } = result;
  // It had less than a handoff's time, for the job had no more; that limit may have been raised meanwhile.
  const { stage, order } = job;
  const givenMs = stage.name === 'asking' ? stage.deadlineMs - handoff.askedAtMs : order.handoffTimeoutMs;
  if (failure === 'timeout' && givenMs < order.handoffTimeoutMs)
    return { to: 'again', untilMs: atMs, status: job.status };
  // It queues, and nobody who queues is asked before the login works again.
  if (failure === 'login') return { to: 'again', untilMs: atMs, status: 'PENDING' };
  if (failure === 'limit' && (retryAfterMs ?? PARK_MS_DEFAULT) > PARK_MS_MIN) return park(job, result);
  const { response } = FAILURE_ROWS[failure === 'limit' ? 'network' : failure];
  if (response.does !== 'RETRY' || job.repeats >= response.retries) return { to: 'rest', why: restOf(failure) };
  return { to: 'again', untilMs: atMs + backOffMs(job.repeats + 1, atMs, retryAfterMs), status: job.status };
}

function park({ order, standIn }: LiveJob, { atMs, retryAfterMs = PARK_MS_DEFAULT }: Failed): Goal {
  const { fallback, onLimit = 'wait' } = order;
  if (fallback !== null && standIn === null) return { to: 'again', untilMs: atMs, status: 'PENDING', agent: fallback };
  if (onLimit === 'ask') return { to: 'rest', why: 'provider' };
  return { to: 'again', untilMs: atMs + retryAfterMs, status: 'PENDING' };
}

function restOf(failure: Failed['failure']): Extract<Goal, { to: 'rest' }>['why'] {
  if (failure === 'spent') return 'limit';
  return failure === 'limit' ? 'network' : failure;
}
