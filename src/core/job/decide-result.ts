/** What became of an effect. Results of effects that are no longer owed are history, not instructions. */
import { exhausted, remaining } from '../kernel/budget.js';
import type { Decision } from '../kernel/decider.js';
import { type BodyRef, type EffectResult, NO_USAGE } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { wantedWords } from '../kernel/wanted-words.js';
import { decideFailure } from './decide-failure.js';
import { type Attempt, completedGoal, endAttempt, haltOf, pointAfter, retryGoal } from './job-attempt.js';
import type { CheckedWork, DeedProblem, JobDeeds, Prepared, Reading } from './job-deeds.js';
import { admitKey, affordKey, checkKey, collectKey, restoreKey, WORKSPACE_KEY } from './job-effects.js';
import { ANSWER_ROWS } from './job-matrix.js';
import type { JobEvent } from './job-messages.js';
import { checksOf, isSupervisor } from './job-order.js';
import { type Asked, duePhase, type LiveJob, spend } from './job-state.js';

type Outcome = Decision<JobEvent>;
const NOTHING: Outcome = { events: [] };

export function decideResult(job: LiveJob, result: EffectResult): Outcome {
  const { stage } = job;
  const { atMs, key } = result;
  switch (result.type) {
    case 'Ended':
      if (stage.name !== 'waiting' || !stage.for.includes(result.run)) return NOTHING;
      return { events: [{ type: 'PredecessorEnded', atMs, run: result.run, status: result.status }] };
    case 'Admitted':
      return stage.name === 'queued' && key === admitKey(job, stage.handoff)
        ? { events: askOrRest(job, atMs) }
        : NOTHING;
    case 'Parked': {
      if (stage.name !== 'queued' || key !== admitKey(job, stage.handoff)) return NOTHING;
      const { reason, untilMs } = result;
      return { events: [{ type: 'HandoffParked', atMs, handoff: stage.handoff.key, reason, untilMs }] };
    }
    case 'Afforded':
      if (stage.name !== 'parked' || key !== affordKey(stage.handoff)) return NOTHING;
      return { events: [{ type: 'HandoffUnparked', atMs, handoff: stage.handoff.key }] };
    case 'Woke':
      return stage.name === 'pausing' && atMs >= stage.untilMs ? { events: [{ type: 'PauseEnded', atMs }] } : NOTHING;
    case 'Answered': {
      if (stage.name !== 'asking' || stage.handoff.key !== key) return NOTHING;
      const { answer, usage, request = null, thread } = result;
      const told = { answer, request, usage, ...(thread !== undefined && { thread }) };
      return { events: [{ type: 'HandoffAnswered', atMs, handoff: key, question: null, ...told }] };
    }
    case 'Failed':
      return stage.name === 'asking' && stage.handoff.key === key
        ? { events: decideFailure(job, stage.handoff, result) }
        : { events: performed(job, { atMs, key, type: 'Performed', result: undone(result.reason) }) };
    case 'Asks':
      return stage.name === 'asking' && stage.handoff.key === key
        ? { events: asks(job, stage.handoff, result) }
        : NOTHING;
    case 'Lost':
      return stage.name === 'asking' && stage.handoff.key === key
        ? { events: lost(job, stage.handoff, result) }
        : NOTHING;
    case 'Performed':
      return { events: performed(job, result) };
    case 'Notified':
      return (stage.name === 'resting' || stage.name === 'approving') && !stage.notified
        ? { events: [{ type: 'StewardNotified', atMs, question: stage.question }] }
        : NOTHING;
    case 'Executed':
    case 'Told':
      return NOTHING;
    default:
      return unreachable(result);
  }
}

/** Checked before every ask. What is left of the job's time may be less than a handoff's. */
function askOrRest(job: LiveJob, atMs: number): JobEvent[] {
  const { order, spent, stage } = job;
  if (stage.name !== 'queued') return [];
  const { key, attempt, stateBefore } = stage.handoff;
  const dimension = exhausted(order.limits, spent);
  if (dimension) {
    return [{ type: 'JobRested', atMs, ...haltOf(dimension), question: job.questions + 1, handoff: null }];
  }
  const { name, agent, byHand = false } = duePhase(job);
  return [
    {
      type: 'HandoffAsked',
      atMs,
      handoff: key,
      attempt,
      sequence: job.sequence,
      phase: name,
      agent: job.standIn ?? agent,
      stateBefore,
      deadlineMs: atMs + Math.min(order.handoffTimeoutMs, remaining(order.limits, spent, 'activeMs')),
      byHand,
      ...(byHand && { question: job.questions + 1 }),
    },
  ];
}

/** The attempt is over; the next one goes on with its conversation once a person has spoken. No try is counted. */
function asks(job: LiveJob, handoff: Asked, result: Extract<EffectResult, { type: 'Asks' }>): JobEvent[] {
  const { atMs, wanted, usage, thread, request = null } = result;
  const attempt: Attempt = {
    ...{ job, handoff, atMs, response: 'ERROR', action: 'RETRY', cause: 'asked' },
    reason: `it asks whether it may ${wantedWords(wanted)}`,
    unanswered: { request, usage, thread },
  };
  const ended = endAttempt(attempt, { to: 'again', untilMs: atMs, status: job.status });
  if (ended.some(({ type }) => type === 'JobRested')) return ended;
  return [...ended, { type: 'ApprovalAsked', atMs, handoff: handoff.key, wanted, question: job.questions + 1 }];
}

/** Its owner died: nothing is known but what was spent. It is asked again and no try is counted. */
function lost(
  job: LiveJob,
  handoff: Asked,
  { atMs, usage, thread }: Extract<EffectResult, { type: 'Lost' }>,
): JobEvent[] {
  const attempt: Attempt = {
    job,
    // When it died is not known, so no time is counted.
    handoff: { ...handoff, askedAtMs: atMs },
    atMs,
    response: 'ERROR',
    action: 'RETRY',
    cause: 'lost',
    reason: 'the process that asked was ended before an answer was recorded',
    unanswered: { request: null, usage, thread },
  };
  return endAttempt(attempt, { to: 'again', untilMs: atMs, status: job.status });
}

type Result<Deed extends keyof JobDeeds> = JobDeeds[Deed]['result'];

function performed(job: LiveJob, { atMs, key, result }: Extract<EffectResult, { type: 'Performed' }>): JobEvent[] {
  const { stage } = job;
  // An answer by hand may wait for it. A job that was canceled meanwhile does not.
  const wanted = stage.name === 'preparing' || (stage.name === 'collecting' && !job.workspace);
  if (key === WORKSPACE_KEY && wanted) return prepared(job, result as Result<'prepare'>, atMs);
  if (stage.name === 'collecting' && key === collectKey(stage.handoff)) {
    const reading = result as Result<'collect'>;
    if ('problem' in reading)
      return stopped(job, stage.handoff, { ...reading, ...(stage.metered && { reported: null }) }, atMs);
    return collected(job, stage.handoff, stage.metered, reading, atMs);
  }
  if (stage.name === 'checking' && key === checkKey(stage.handoff)) {
    const work = result as Result<'check'>;
    if ('problem' in work) return stopped(job, stage.handoff, { ...work, reported: null }, atMs);
    return checked(job, stage.handoff, stage.reading, work, atMs);
  }
  if (stage.name === 'restoring' && key === restoreKey(job)) {
    const { restored, problem } = result as Result<'restore'>;
    return restoredTo(job, stage.point.id, stage.from, restored, problem, atMs);
  }
  return [];
}

/** Fits every deed: a person sees why. */
function undone(problem: string) {
  return { problem, kind: 'workspace', output: null, restored: 0 } satisfies Result<'prepare' | 'restore'> &
    DeedProblem;
}

function prepared(job: LiveJob, result: Prepared, atMs: number): JobEvent[] {
  if ('folder' in result) return [{ type: 'WorkspacePrepared', atMs, ...result }];
  const { problem, output } = result;
  const { stage } = job;
  // Answered by hand before there was a workspace to look at: it has ended, and a person sees why.
  if (stage.name === 'collecting') return stopped(job, stage.handoff, { problem, kind: 'workspace' }, atMs, output);
  return [
    { type: 'WorkspaceFailed', atMs, problem, output },
    {
      type: 'JobRested',
      atMs,
      status: 'INTERVENTION_REQUIRED',
      why: 'workspace',
      question: job.questions + 1,
      handoff: null,
    },
  ];
}

/** An answer that cannot be looked at, or proven, until a person has acted. It is recorded; nobody is blamed for it. */
function stopped(
  job: LiveJob,
  handoff: Asked,
  { problem, kind, reported }: DeedProblem,
  atMs: number,
  output: BodyRef | null = null,
): JobEvent[] {
  const end = { job, handoff, atMs, response: 'ERROR', action: 'STUCK', cause: kind, reason: problem } as const;
  const unanswered = { request: null, usage: reported ?? NO_USAGE };
  return [
    { type: 'WorkspaceFailed', atMs, problem, output },
    ...endAttempt({ ...end, unanswered }, { to: 'rest', why: kind }),
  ];
}

function collected(job: LiveJob, handoff: Asked, metered: boolean, reading: Reading, atMs: number): JobEvent[] {
  const { fault, action, violation } = reading;
  const phase = duePhase(job);
  const said: JobEvent[] = violation
    ? [{ type: 'protocol_violation', atMs, handoff: handoff.key, reason: violation }]
    : [];
  const events: JobEvent[] = [...said, { type: 'HandoffCollected', atMs, handoff: handoff.key, reading }];
  const now = { ...job, spent: spend(job.spent, (!metered && reading.reported) || NO_USAGE, 0) };
  const end = { job: now, handoff, atMs, response: 'SUCCESS', cause: null, reason: null } as const;
  const row = fault && ANSWER_ROWS[fault.kind];
  const response = row && (job.order.verify === 'strict' ? row.strict : row.response);
  // Missing evidence turns down what claims to be done; who asks for another try or for help gets it.
  const stands = fault?.kind === 'evidence' && action !== 'COMPLETED';
  if (fault && (!action || (response && response.does !== 'ACCEPT' && !stands))) {
    const turnedDown = { ...end, response: 'ERROR', cause: fault.kind, reason: fault.reason } as const;
    if (response?.does === 'RETRY') {
      const again = { ...turnedDown, response: 'SUCCESS', action: 'RETRY', guidance: reading.advice } as const;
      return [...events, ...endAttempt(again, retryGoal(now))];
    }
    return [...events, ...endAttempt({ ...turnedDown, action: 'STUCK' }, { to: 'rest', why: fault.kind })];
  }
  switch (action) {
    case 'STUCK':
      return [...events, ...endAttempt({ ...end, action, guidance: reading.summary }, { to: 'rest', why: 'stuck' })];
    case 'RETRY':
      return [...events, ...endAttempt({ ...end, action, guidance: reading.summary }, retryGoal(now))];
    default: {
      const proves = checksOf(job.order, phase).length > 0 || (job.order.protect.length > 0 && !isSupervisor(phase));
      return proves ? events : [...events, ...completed(now, end, reading, atMs)];
    }
  }
}

function checked(job: LiveJob, handoff: Asked, reading: Reading, work: CheckedWork, atMs: number): JobEvent[] {
  const events: JobEvent[] = [{ type: 'ChecksEnded', atMs, handoff: handoff.key, checked: work }];
  const took = job.stage.name === 'checking' ? atMs - job.stage.sinceMs : 0;
  const now = { ...job, spent: spend(job.spent, NO_USAGE, took) };
  const end = { job: now, handoff, atMs, response: 'SUCCESS', cause: null, reason: null } as const;
  const failed = work.results.filter(({ exitCode }) => exitCode !== 0);
  if (failed.length > 0) {
    const reason = `${failed.map(({ argv, exitCode }) => `${argv.join(' ')}: exit ${exitCode}`).join('; ')}`;
    const again = { ...end, action: 'RETRY', cause: 'check', reason, guidance: work.guidance } as const;
    return [...events, ...endAttempt(again, retryGoal(now))];
  }
  if (work.protectedChanged.length > 0) {
    const reason = `changed protected files: ${work.protectedChanged.join(', ')}`;
    const seen = { ...end, action: 'COMPLETED', cause: 'protected', reason } as const;
    return [...events, ...endAttempt(seen, { to: 'rest', why: 'protected' })];
  }
  return [...events, ...completed(now, end, reading, atMs, work.results.length)];
}

function completed(job: LiveJob, end: Omit<Attempt, 'action'>, reading: Reading, atMs: number, checks = 0): JobEvent[] {
  // Who was told something meanwhile has not heard it: it is not done before.
  if (job.unheard > 0 && !end.handoff.byHand) {
    const told = { ...end, action: 'RETRY', cause: 'told', reason: 'it was told something while it worked' } as const;
    return endAttempt(told, { to: 'phase', status: 'PENDING', phase: job.phase });
  }
  const goal = completedGoal(job);
  return [
    ...endAttempt({ ...end, action: 'COMPLETED' }, goal),
    pointAfter(job, end.handoff.sequence, reading.commit, goal, atMs, { evidence: reading.evidence.length, checks }),
  ];
}

function restoredTo(
  job: LiveJob,
  point: string,
  from: Extract<LiveJob['stage'], { name: 'restoring' }>['from'],
  restored: number,
  problem: string | null,
  atMs: number,
): JobEvent[] {
  const done: JobEvent = { type: 'RolledBack', atMs, point, restored, problem };
  const question = job.questions + 1;
  if (problem !== null) {
    return [
      done,
      { type: 'JobRested', atMs, status: 'INTERVENTION_REQUIRED', why: 'workspace', question, handoff: null },
    ];
  }
  const halted = from === 'HALTED_COST' || from === 'HALTED_TIME';
  return halted ? [done, { type: 'JobRested', atMs, status: from, why: 'limit', question, handoff: null }] : [done];
}
