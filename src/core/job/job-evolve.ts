import { NOTHING_SPENT } from '../kernel/budget.js';
import { NO_USAGE } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { statusAtRest } from './decide-command.js';
import { statusOf } from './job-attempt.js';
import type { Reading } from './job-deeds.js';
import type { JobEvent, Next } from './job-messages.js';
import { checksOf, isSupervisor } from './job-order.js';
import {
  type Asked,
  duePhase,
  type Handoff,
  type Job,
  type LiveJob,
  nextHandoff,
  POINTS_KEPT_MAX,
  phaseNamed,
  type Stage,
  spend,
} from './job-state.js';

type Event<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** Applies a fact. Never refuses: what was written has happened. */
export function evolveJob(job: Job, event: JobEvent): Job {
  if (event.type === 'JobSubmitted') return newJob(event);
  if (job.status === 'NEW') throw new Error(`${event.type} before the job was submitted`);
  return evolve(job, event);
}

function newJob({ order }: Event<'JobSubmitted'>): LiveJob {
  return {
    status: 'DRAFT',
    order,
    stage: { name: 'draft' },
    phase: order.phases[0]?.name ?? '',
    spent: NOTHING_SPENT,
    threads: {},
    verdict: null,
    reported: 0,
    workspace: null,
    commit: null,
    tries: {},
    repeats: 0,
    guidance: [],
    unheard: 0,
    handedOn: null,
    standIn: null,
    points: [],
    pointsTaken: 0,
    proof: null,
    pullRequest: null,
    handoffs: 0,
    sequence: 0,
    questions: 0,
    warned: [],
    trouble: null,
  };
}

function evolve(job: LiveJob, event: Exclude<JobEvent, { type: 'JobSubmitted' }>): LiveJob {
  switch (event.type) {
    case 'JobActivated':
      return due({ ...job, status: 'PENDING' }, event.atMs, job.order.after);
    case 'PaceSet':
      return event.steps === null ? unpaced(job) : { ...job, steps: event.steps };
    case 'PredecessorEnded': {
      const left = job.stage.name === 'waiting' ? job.stage.for.filter((run) => run !== event.run) : [];
      return due(job, event.atMs, left);
    }
    case 'PauseEnded':
      return job.stage.name === 'pausing' ? queued(job, job.stage.handoff) : job;
    case 'HandoffParked': {
      if (job.stage.name !== 'queued') return job;
      const { reason, untilMs } = event;
      return { ...job, stage: { name: 'parked', handoff: job.stage.handoff, reason, untilMs } };
    }
    case 'HandoffUnparked':
      return job.stage.name === 'parked' ? queued(job, job.stage.handoff) : job;
    case 'WorkspacePrepared': {
      const { folder, branch, base, setupMs } = event;
      const ready: LiveJob = {
        ...job,
        workspace: { folder, branch, base },
        commit: job.commit ?? base,
        spent: spend(job.spent, NO_USAGE, setupMs),
      };
      // An answer that was handed in by hand waits for it.
      return job.stage.name === 'collecting' ? ready : queued(ready);
    }
    case 'WorkspaceFailed':
      return { ...job, trouble: event.problem };
    case 'HandoffAsked':
      return asked(job, event);
    case 'HandoffAnswered':
      return answered(job, event);
    case 'protocol_violation':
      return job;
    case 'HandoffCollected':
      return collected(job, event);
    case 'ChecksEnded': {
      const took = job.stage.name === 'checking' ? event.atMs - job.stage.sinceMs : 0;
      const { results } = event.checked;
      const passed = results.length > 0 && results.every(({ exitCode }) => exitCode === 0);
      return { ...job, spent: spend(job.spent, NO_USAGE, took), proof: passed ? results.length : null };
    }
    case 'HandoffEnded':
      return ended(job, event);
    case 'ApprovalAsked': {
      const { wanted, question } = event;
      if (job.stage.name !== 'queued') return job;
      const { handoff } = job.stage;
      const agent = job.standIn ?? duePhase(job).agent;
      const stage = { name: 'approving', handoff, agent, wanted, question, notified: false } as const;
      return { ...job, questions: question, stage };
    }
    case 'ApprovalAnswered':
      if (job.stage.name !== 'approving') return job;
      return { ...queued(job, job.stage.handoff), verdict: event.verdict };
    case 'LimitNear':
      return { ...job, warned: [...job.warned, ...event.dimensions] };
    default:
      return evolveByPeople(job, event);
  }
}

type ByPeople = Event<
  | 'JobRested'
  | 'StewardNotified'
  | 'JobResumed'
  | 'LimitsRaised'
  | 'JobRanked'
  | 'AdviceGiven'
  | 'PullRequestNoted'
  | 'JobApproved'
  | 'PointTaken'
  | 'RollbackBegun'
  | 'RolledBack'
  | 'PhaseSet'
  | 'JobCanceled'
>;

/** What calls people, and what they say. */
function evolveByPeople(job: LiveJob, event: ByPeople): LiveJob {
  switch (event.type) {
    case 'JobRested': {
      const { status, why, question } = event;
      return { ...job, status, questions: question, stage: { name: 'resting', why, question, notified: false } };
    }
    case 'StewardNotified': {
      const { stage } = job;
      if (stage.name !== 'resting' && stage.name !== 'approving') return job;
      return { ...job, stage: { ...stage, notified: true } };
    }
    case 'JobResumed':
      return resumed(job, event);
    case 'LimitsRaised':
      return { ...job, order: { ...job.order, limits: event.limits }, warned: [] };
    case 'JobRanked':
      return { ...job, order: { ...job.order, rank: event.rank } };
    case 'AdviceGiven': {
      const guidance: LiveJob['guidance'] = [...job.guidance, { ...event.advice, from: 'steward' }];
      return { ...job, guidance, unheard: isUnderWay(job) || isAnswered(job) ? job.unheard + 1 : 0 };
    }
    case 'PullRequestNoted':
      return { ...job, pullRequest: event.url };
    case 'JobApproved': {
      const allowed = job.stage.name === 'resting' && job.stage.why === 'protected';
      return follow(unpaced(allowed ? phaseCompleted(job) : job), event.next, event.atMs);
    }
    case 'PointTaken':
      return {
        ...job,
        points: [...job.points, event.point].slice(-POINTS_KEPT_MAX),
        pointsTaken: job.pointsTaken + 1,
      };
    case 'RollbackBegun': {
      const point = job.points.find(({ id }) => id === event.point) ?? event.older;
      if (!point) return job;
      const from = statusAtRest(job);
      return { ...job, verdict: null, stage: { name: 'restoring', point, files: event.files, from } };
    }
    case 'RolledBack':
      return rolledBack(job, event);
    case 'PhaseSet': {
      const fresh = event.zeroed
        ? { spent: NOTHING_SPENT, reported: 0, tries: {}, guidance: [], warned: [], proof: null }
        : {};
      const now: LiveJob = {
        ...unpaced(job),
        ...fresh,
        phase: event.phase,
        status: 'PENDING',
        repeats: 0,
        standIn: null,
      };
      return due({ ...now, verdict: null }, event.atMs);
    }
    case 'JobCanceled':
      return {
        ...job,
        status: 'CANCELED',
        stage: { name: 'ended' },
        spent: spend(job.spent, event.used ?? NO_USAGE, 0),
      };
    default:
      return unreachable(event);
  }
}

/** What comes before the next ask: other runs, then a workspace, then a place in the lane. */
function due(job: LiveJob, atMs: number, after: readonly string[] = []): LiveJob {
  if (after.length > 0) return { ...job, stage: { name: 'waiting', for: after } };
  const unsure = job.stage.name === 'resting' && job.stage.why === 'workspace';
  return job.workspace && !unsure ? queued(job) : { ...job, stage: { name: 'preparing', sinceMs: atMs } };
}

function queued(job: LiveJob, handoff: Handoff = nextHandoff(job)): LiveJob {
  return { ...job, stage: { name: 'queued', handoff } };
}

function asked(job: LiveJob, event: Event<'HandoffAsked'>): LiveJob {
  const { handoff: key, attempt, sequence, agent, stateBefore, deadlineMs, atMs, byHand, question = null } = event;
  const handoff: Asked = { key, attempt, stateBefore, sequence, agent, askedAtMs: atMs, byHand };
  const phase = phaseNamed(job, event.phase);
  return {
    ...job,
    status: phase ? statusOf(phase) : job.status,
    stage: { name: 'asking', handoff, deadlineMs, question },
    questions: question ?? job.questions,
    unheard: job.verdict ? job.unheard : 0,
    handoffs: attempt === 1 ? job.handoffs + 1 : job.handoffs,
    ...(job.steps !== undefined && attempt === 1 && { steps: Math.max(0, job.steps - 1) }),
    repeats: attempt === 1 ? 0 : job.repeats,
    sequence: sequence + 1,
    spent: { ...job.spent, asks: job.spent.asks + 1 },
  };
}

/** Whoever answers for a job means it to go on. */
function unpaced({ steps: _, ...job }: LiveJob): LiveJob {
  return job;
}

/** Somebody was asked and what comes of it is not known yet. */
function isUnderWay({ stage }: LiveJob): boolean {
  return stage.name === 'asking' || stage.name === 'collecting' || stage.name === 'checking';
}

/** The answer to its question is the next it hears, and may be all: it can go on without another word. */
function isAnswered({ stage, verdict }: LiveJob): boolean {
  return stage.name === 'approving' || verdict !== null;
}

function answered(job: LiveJob, event: Event<'HandoffAnswered'>): LiveJob {
  if (job.stage.name !== 'asking') return job;
  const { atMs, answer, usage, request } = event;
  const { handoff } = job.stage;
  const metered = usage.inputTokens + usage.outputTokens + usage.costMicroUsd > 0;
  // Without a request nobody was asked: the answer came by hand, and it costs no time.
  const byHand = request === null;
  const activeMs = byHand ? 0 : atMs - handoff.askedAtMs;
  const stage: Stage = { name: 'collecting', handoff: { ...handoff, byHand }, answer, metered, sinceMs: atMs };
  return { ...job, stage, verdict: null, threads: threadsAfter(job, event), spent: spend(job.spent, usage, activeMs) };
}

function collected(job: LiveJob, { atMs, reading }: Event<'HandoffCollected'>): LiveJob {
  if (job.stage.name !== 'collecting') return job;
  const { handoff, metered } = job.stage;
  const said = (!metered && reading.reported) || NO_USAGE;
  const spent = spend(job.spent, said, 0);
  const reported = job.reported + said.inputTokens + said.outputTokens;
  const commit = reading.commit ?? job.commit;
  // Work that went on after its proof is not proven any more.
  const proof = commit === job.commit || isSupervisor(duePhase(job)) ? job.proof : null;
  const { order } = job;
  const phase = duePhase(job);
  const proves = checksOf(order, phase).length > 0 || (order.protect.length > 0 && !isSupervisor(phase));
  const stage: Stage = proves ? { name: 'checking', handoff, reading, sinceMs: atMs } : job.stage;
  const handedOn = reading.action === 'COMPLETED' ? handedOnBy(job.phase, reading) : job.handedOn;
  return { ...job, spent, reported, commit, proof, stage, handedOn };
}

function threadsAfter({ threads, phase, stage }: LiveJob, { thread }: { thread?: string }): LiveJob['threads'] {
  if (thread === undefined || !('handoff' in stage) || !('agent' in stage.handoff)) return threads;
  return { ...threads, [phase]: { agent: stage.handoff.agent, thread } };
}

function handedOnBy(phase: string, { summary, evidence, whole }: Reading): LiveJob['handedOn'] {
  return { phase, summary, files: evidence.map(({ path }) => path), ...(whole && { whole }) };
}

function ended(job: LiveJob, event: Event<'HandoffEnded'>): LiveJob {
  const { atMs, response, action, cause, next, guidance, usage } = event;
  const { stage, phase } = job;
  const handoff = 'handoff' in stage && 'askedAtMs' in stage.handoff ? stage.handoff : undefined;
  const unanswered = stage.name === 'asking' && handoff && cause !== 'lost';
  const spent = spend(job.spent, usage, unanswered ? atMs - handoff.askedAtMs : 0);
  const said = stage.name === 'collecting' ? usage.inputTokens + usage.outputTokens : 0;
  const threads = threadsAfter(job, event);
  const now: LiveJob = { ...job, threads, verdict: null, spent, reported: job.reported + said, trouble: event.reason };
  if (next.to === 'again' && handoff) return again(now, handoff, next, cause, atMs);
  if (action === 'COMPLETED' && cause === null) return follow(phaseCompleted(now), next, atMs);
  if (action === 'RETRY' && response === 'SUCCESS' && cause !== 'told') {
    // Only answers are tries; what a limit or a crash cut off is none.
    now.tries = { ...job.tries, [phase]: (job.tries[phase] ?? 0) + 1 };
    const from = cause === 'check' ? 'check' : 'agent';
    if (guidance) now.guidance = [...job.guidance, { ...guidance, from }];
  }
  return follow(now, next, atMs);
}

/** Nothing that was said to this phase concerns the next one, but for what nobody has heard yet. */
function phaseCompleted(job: LiveJob): LiveJob {
  const guidance = job.unheard > 0 ? job.guidance.slice(-job.unheard) : [];
  return { ...job, tries: { ...job.tries, [job.phase]: 0 }, guidance };
}

/** The same handoff once more. A lost one, a parked one and one with a stand-in use none of its repeats. */
function again(
  job: LiveJob,
  { key, attempt }: Asked,
  { untilMs, status, agent }: Extract<Next, { to: 'again' }>,
  cause: Event<'HandoffEnded'>['cause'],
  atMs: number,
): LiveJob {
  const handoff: Handoff = { key, attempt: attempt + 1, stateBefore: status };
  const free = cause === 'lost' || cause === 'limit' || cause === 'login' || cause === 'timeout' || cause === 'asked';
  const now: LiveJob = {
    ...job,
    status,
    repeats: free ? job.repeats : job.repeats + 1,
    standIn: agent ?? job.standIn,
  };
  return untilMs > atMs ? { ...now, stage: { name: 'pausing', handoff, untilMs } } : queued(now, handoff);
}

function follow(job: LiveJob, next: Next, atMs: number): LiveJob {
  switch (next.to) {
    case 'phase':
      return due({ ...job, phase: next.phase, status: next.status, standIn: null }, atMs);
    case 'success':
      return { ...job, status: 'SUCCESS', stage: { name: 'ended' } };
    case 'rest':
      return { ...job, phase: next.phase };
    default:
      return job;
  }
}

function resumed(job: LiveJob, { atMs, by, phase, guidance }: Event<'JobResumed'>): LiveJob {
  const tries = by === 'raise' ? job.tries : { ...job.tries, [phase]: 0, [job.phase]: 0 };
  const advice: LiveJob['guidance'] = guidance ? [...job.guidance, { ...guidance, from: 'steward' }] : job.guidance;
  const now: LiveJob = {
    ...unpaced(job),
    status: 'PENDING',
    phase,
    tries,
    repeats: 0,
    standIn: null,
    guidance: advice,
  };
  return due(now, atMs);
}

function rolledBack(job: LiveJob, { problem, atMs }: Event<'RolledBack'>): LiveJob {
  if (job.stage.name !== 'restoring') return job;
  if (problem !== null) return { ...job, trouble: problem };
  const { point } = job.stage;
  const now: LiveJob = {
    ...job,
    phase: point.resumePhase,
    commit: point.commit,
    proof: null,
    repeats: 0,
    standIn: null,
  };
  return due({ ...now, status: 'PENDING' }, atMs);
}
