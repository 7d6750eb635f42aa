/** What follows when an attempt of a handoff has ended, in any way. */
import { type Dimension, exhausted, nearlyExhausted, type Spent } from '../kernel/budget.js';
import { type BodyRef, NO_USAGE, type Usage } from '../kernel/effect.js';
import type { Cause, JobEvent, Next, Rest, RestingStatus } from './job-messages.js';
import { isSupervisor, type Phase } from './job-order.js';
import { type Asked, duePhase, type LiveJob, nextPointId, phaseAfter, spend } from './job-state.js';
import type { Action, JobStatus } from './job-status.js';

/** The third RETRY of a phase in a row calls a person. */
export const TRIES_MAX = 3;

type Ended = Extract<JobEvent, { type: 'HandoffEnded' }>;
export type Attempt = {
  job: LiveJob;
  handoff: Asked;
  atMs: number;
  response: Ended['response'];
  action: Action;
  cause: Cause | null;
  reason: string | null;
  guidance?: BodyRef | null;
  /** Only when no answer was recorded for it. */
  unanswered?: { request: BodyRef | null; usage: Usage; thread?: string | undefined };
};
export type Goal = Exclude<Next, { to: 'rest' }> | { to: 'rest'; why: Rest; phase?: string };

export function statusOf(phase: Phase): 'RUNNING' | 'REVIEWING' {
  return isSupervisor(phase) ? 'REVIEWING' : 'RUNNING';
}

/** A limit that is used up wins over going on, never over an end or a person who is called anyway. */
export function endAttempt(attempt: Attempt, goal: Goal): JobEvent[] {
  const { job, handoff, atMs, unanswered } = attempt;
  const spent = unanswered ? spend(job.spent, unanswered.usage, atMs - handoff.askedAtMs) : job.spent;
  const dimension = goal.to === 'phase' || goal.to === 'again' ? exhausted(job.order.limits, spent) : undefined;
  if (!dimension) return [ended(attempt, goal), ...warnOf(job, spent, atMs), ...restOf(job, handoff.key, goal, atMs)];
  const halted = haltOf(dimension);
  const cut: Attempt = unanswered ? { ...attempt, ...cutBy(dimension, attempt.cause) } : attempt;
  return [
    ended(cut, { to: 'rest', why: halted.why, phase: goal.to === 'phase' ? goal.phase : job.phase }, halted.status),
    { type: 'JobRested', atMs, ...halted, question: job.questions + 1, handoff: handoff.key },
  ];
}

/** A lost attempt stays a lost one: how long it took is not known, so none of its time counts. */
function cutBy(dimension: Dimension, cause: Cause | null): Pick<Attempt, 'action' | 'cause' | 'response'> {
  if (cause === 'lost') return { action: 'RETRY', cause, response: 'ERROR' };
  return { action: 'RETRY', cause: 'spent', response: dimension === 'activeMs' ? 'TIMEOUT' : 'ERROR' };
}

/** The phase is asked again from its retry target, unless it was sent back too often. */
export function retryGoal(job: LiveJob): Goal {
  const phase = duePhase(job);
  if ((job.tries[phase.name] ?? 0) + 1 >= TRIES_MAX) return { to: 'rest', why: 'tries' };
  return { to: 'phase', status: 'PENDING', phase: phase.onRetry ?? phase.name };
}

export function completedGoal(job: LiveJob): Goal {
  const next = phaseAfter(job, job.phase);
  if (next) return { to: 'phase', status: statusOf(next), phase: next.name };
  return job.order.approval ? { to: 'rest', why: 'approval' } : { to: 'success' };
}

/** Where a phase that is completed can be gone back to. */
export function pointAfter(
  job: LiveJob,
  sequence: number,
  commit: string | null,
  goal: Goal,
  atMs: number,
  proof?: { evidence: number; checks: number },
): JobEvent {
  const { phase } = job;
  const resumePhase = goal.to === 'phase' ? goal.phase : phase;
  const point = {
    id: nextPointId(job),
    sequence,
    resumePhase,
    commit,
    description: `after ${phase}`,
    ...(proof && { proof }),
  };
  return { type: 'PointTaken', atMs, point };
}

export function haltOf(dimension: Dimension): { status: RestingStatus; why: Rest } {
  if (dimension === 'asks') return { status: 'INTERVENTION_REQUIRED', why: 'limit' };
  return { status: dimension === 'activeMs' ? 'HALTED_TIME' : 'HALTED_COST', why: 'limit' };
}

function ended(attempt: Attempt, goal: Goal, resting: RestingStatus = 'INTERVENTION_REQUIRED'): Ended {
  const { job, handoff, atMs, response, action, cause, reason, guidance = null, unanswered } = attempt;
  return {
    type: 'HandoffEnded',
    atMs,
    handoff: handoff.key,
    attempt: handoff.attempt,
    response,
    action,
    cause,
    reason,
    request: unanswered?.request ?? null,
    usage: unanswered?.usage ?? NO_USAGE,
    guidance,
    next: goal.to === 'rest' ? { to: 'rest', phase: goal.phase ?? job.phase } : goal,
    status: statusAfter(goal, resting),
    ...(unanswered?.thread !== undefined && { thread: unanswered.thread }),
  };
}

function statusAfter(goal: Goal, resting: RestingStatus): JobStatus {
  if (goal.to === 'rest') return resting;
  return goal.to === 'success' ? 'SUCCESS' : goal.status;
}

function restOf({ questions }: LiveJob, handoff: string, goal: Goal, atMs: number): JobEvent[] {
  if (goal.to !== 'rest') return [];
  const status = 'INTERVENTION_REQUIRED';
  return [{ type: 'JobRested', atMs, status, why: goal.why, question: questions + 1, handoff }];
}

/** Each limit warns once, at four fifths. */
function warnOf({ order, warned }: LiveJob, spent: Spent, atMs: number): JobEvent[] {
  const dimensions = nearlyExhausted(order.limits, spent).filter((dimension) => !warned.includes(dimension));
  return dimensions.length > 0 ? [{ type: 'LimitNear', atMs, dimensions }] : [];
}
