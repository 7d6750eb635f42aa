/** What people and other programs ask of a job. Every pair of status and command is a move or a refusal. */
import { amountWords, exhausted, type Limits } from '../kernel/budget.js';
import { type Decision, refuse } from '../kernel/decider.js';
import type { BodyRef, EffectResult } from '../kernel/effect.js';
import { NO_USAGE, type Usage } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { type Attempt, completedGoal, endAttempt, pointAfter } from './job-attempt.js';
import type { JobCommand, JobEvent, RestingStatus, UsedSoFar } from './job-messages.js';
import { orderProblem } from './job-order.js';
import { dueHandoff, duePhase, type Job, type LiveJob, nextPointId, openQuestion, phaseNamed } from './job-state.js';
import { isActive, isFinal, isHalted } from './job-status.js';

type Outcome = Decision<JobEvent>;
type Command<Type extends JobCommand['type']> = Extract<JobCommand, { type: Type }>;

export function submit(job: Job, { atMs, order, activate }: Command<'Submit'>): Outcome {
  if (job.status !== 'NEW') return refuse('INVALID_TRANSITION', 'a job with this id exists already');
  const problem = orderProblem(order);
  if (problem !== undefined) return refuse('SCHEMA_INVALID', problem);
  const submitted: JobEvent = { type: 'JobSubmitted', atMs, order };
  return { events: activate ? [submitted, { type: 'JobActivated', atMs }] : [submitted] };
}

export function decideCommand(job: LiveJob, command: Exclude<JobCommand, Command<'Submit'> | EffectResult>): Outcome {
  const { status } = job;
  const { atMs } = command;
  switch (command.type) {
    case 'Activate':
      return status === 'DRAFT' ? { events: [{ type: 'JobActivated', atMs }] } : no(job, 'be activated');
    case 'Cancel':
      if (isFinal(status)) return no(job, 'be canceled');
      return {
        events: [
          {
            type: 'JobCanceled',
            atMs,
            question: openQuestion(job),
            ...(command.used && { used: leftBy(job, command.used).usage }),
          },
        ],
      };
    case 'Terminate':
      if (status !== 'INTERVENTION_REQUIRED') return no(job, 'be terminated');
      return { events: [{ type: 'JobCanceled', atMs, question: openQuestion(job) }] };
    case 'Resubmit':
      return resubmit(job, command);
    case 'Approve':
      return approve(job, atMs);
    case 'Reject':
      return reject(job, command);
    case 'Raise':
      return raise(job, command);
    case 'PostStep':
      return postStep(job, command);
    case 'Decide':
      return decideWanted(job, command);
    case 'Advise':
      return advise(job, command);
    case 'NotePullRequest':
      if (!job.workspace?.branch) return no(job, 'have a pull request');
      return { events: [{ type: 'PullRequestNoted', atMs, url: command.url }] };
    case 'Checkpoint':
      return checkpoint(job, command);
    case 'Rollback':
      return rollback(job, command);
    case 'Restep':
      return setPhase(job, atMs, command.phase, false);
    case 'Rerun':
      return setPhase(job, atMs, job.order.phases[0]?.name ?? '', true);
    case 'Go':
      return go(job, command);
    case 'Rank':
      return rank(job, command);
    default:
      return unreachable(command);
  }
}

/** A handoff that has begun is the one that is meant. */
function go(job: LiveJob, { atMs, steps }: Command<'Go'>): Outcome {
  const { status, stage } = job;
  if (isFinal(status)) return no(job, 'be run');
  if (steps === null) {
    if (status === 'DRAFT') return no(job, 'be run before it is activated');
    return { events: [{ type: 'PaceSet', atMs, steps: null }] };
  }
  if (stage.name === 'resting') return no(job, 'be stepped before it is answered');
  const begun = 'handoff' in stage && (stage.name !== 'queued' || stage.handoff.attempt > 1);
  const paced: JobEvent = { type: 'PaceSet', atMs, steps: begun && stage.name !== 'parked' ? 0 : 1 };
  return { events: status === 'DRAFT' ? [paced, { type: 'JobActivated', atMs }] : [paced] };
}

/** Only what still waits for its first turn has a place among others. */
function rank(job: LiveJob, { atMs, rank: wanted }: Command<'Rank'>): Outcome {
  if (job.status !== 'DRAFT' && job.status !== 'PENDING') return no(job, 'be moved in the queue');
  return { events: [{ type: 'JobRanked', atMs, rank: wanted }] };
}

function resubmit(job: LiveJob, { atMs, guidance, phase }: Command<'Resubmit'>): Outcome {
  const { stage } = job;
  if (stage.name !== 'resting' || job.status !== 'INTERVENTION_REQUIRED') return no(job, 'be resubmitted');
  return resume(job, atMs, 'resubmit', phase ?? job.phase, guidance, stage.question);
}

function approve(job: LiveJob, atMs: number): Outcome {
  const { stage } = job;
  if (stage.name !== 'resting' || !isApprovable(stage.why)) return no(job, 'be approved');
  const { question } = stage;
  if (stage.why === 'approval') return { events: [{ type: 'JobApproved', atMs, question, next: { to: 'success' } }] };
  const goal = completedGoal(job);
  const point = pointAfter(job, job.sequence - 1, job.commit, goal, atMs);
  if (goal.to !== 'rest') return { events: [{ type: 'JobApproved', atMs, question, next: goal }, point] };
  const rest = { status: 'INTERVENTION_REQUIRED', why: goal.why, question: job.questions + 1, handoff: null } as const;
  return {
    events: [
      { type: 'JobApproved', atMs, question, next: { to: 'rest', phase: job.phase } },
      { type: 'JobRested', atMs, ...rest },
      point,
    ],
  };
}

/** What is not approved as a whole begins anew; protected files go back to whoever changed them. */
function reject(job: LiveJob, { atMs, guidance, phase }: Command<'Reject'>): Outcome {
  const { stage, order } = job;
  if (stage.name !== 'resting' || !isApprovable(stage.why)) return no(job, 'be rejected');
  const usual = stage.why === 'approval' ? (order.phases[0]?.name ?? job.phase) : job.phase;
  return resume(job, atMs, 'reject', phase ?? usual, guidance, stage.question);
}

function isApprovable(why: string): boolean {
  return why === 'approval' || why === 'protected';
}

function resume(
  job: LiveJob,
  atMs: number,
  by: 'resubmit' | 'reject',
  phase: string,
  guidance: BodyRef | null,
  question: number,
): Outcome {
  if (!phaseNamed(job, phase)) return unknownPhase(job, phase);
  return { events: [{ type: 'JobResumed', atMs, by, phase, guidance, question }] };
}

function raise(job: LiveJob, { atMs, limits }: Command<'Raise'>): Outcome {
  const { order, spent, stage } = job;
  if (isFinal(job.status)) return no(job, 'get other limits');
  const given = Object.entries(limits) as [keyof Limits, number][];
  if (given.length === 0) return refuse('LIMIT_TOO_LOW', 'no limit was named');
  const low = given.find(([name, limit]) => !(limit >= 0) || (limit > 0 && limit <= spent[name]));
  if (low) {
    const [name, limit] = low;
    const reason = `${amountWords(name, limit)} is not above the ${amountWords(name, spent[name])} already spent`;
    return refuse('LIMIT_TOO_LOW', reason, { limit: name, spent: spent[name] });
  }
  const raised: JobEvent = { type: 'LimitsRaised', atMs, limits: { ...order.limits, ...limits } };
  const rests = stage.name === 'resting' && stage.why === 'limit';
  if (!rests) return { events: [raised] };
  const still = exhausted(raised.limits, spent);
  if (still) {
    const reason = `the limit that stopped it is still reached: ${amountWords(still, spent[still])} is used`;
    return refuse('LIMIT_TOO_LOW', reason, { limit: still, spent: spent[still] });
  }
  const { question } = stage;
  return {
    events: [raised, { type: 'JobResumed', atMs, by: 'raise', phase: job.phase, guidance: null, question }],
  };
}

/** Hands in the answer of whoever is due, as if that agent had given it. */
function postStep(job: LiveJob, { atMs, handoff: named, role, answer, used }: Command<'PostStep'>): Outcome {
  const { stage, status } = job;
  const due = dueHandoff(job);
  if (!isActive(status) || !due || stage.name === 'waiting') return no(job, 'take an answer');
  const phase = duePhase(job);
  if (named !== null && named !== due.key) {
    return refuse('NON_COMPLIANT', `the handoff ${named} is not due; ${due.key} is`, { due: due.key });
  }
  if (role !== phase.role) {
    return refuse('NON_COMPLIANT', `the role ${role} is not due; ${phase.role} is`, { due: phase.role });
  }
  if (stage.name === 'collecting' || stage.name === 'checking') return no(job, 'take a second answer');
  const answered: JobEvent = {
    type: 'HandoffAnswered',
    atMs,
    handoff: due.key,
    answer,
    request: null,
    usage: leftBy(job, used).usage,
    question: openQuestion(job),
  };
  if (stage.name === 'asking') return { events: [answered] };
  const { key, attempt, stateBefore } = due;
  const asked: JobEvent = {
    type: 'HandoffAsked',
    atMs,
    handoff: key,
    attempt,
    sequence: job.sequence,
    phase: phase.name,
    agent: phase.agent,
    stateBefore,
    deadlineMs: atMs,
    byHand: true,
  };
  return { events: [asked, answered] };
}

/** The answer is to what was shown, and to nothing that was asked since. */
function decideWanted(job: LiveJob, { atMs, question, decision, guidance }: Command<'Decide'>): Outcome {
  const { stage } = job;
  if (stage.name !== 'approving') return no(job, 'be told that something may be done');
  if (stage.question !== question) {
    return refuse('INVALID_TRANSITION', `the question ${question} is over`, { question: stage.question });
  }
  const { kind, hash, what } = stage.wanted;
  const verdict = { kind, hash, what, decision, guidance };
  return { events: [{ type: 'ApprovalAnswered', atMs, question, verdict }] };
}

/** Heard at the next ask; `now` ends the present one, which is not counted as a try. */
function advise(job: LiveJob, { atMs, advice, now, used }: Command<'Advise'>): Outcome {
  const { stage, status } = job;
  if (isFinal(status)) return no(job, 'be told anything: fork it, or make a new one');
  if (status === 'INTERVENTION_REQUIRED') return no(job, 'be told anything; resubmit takes guidance');
  const given: JobEvent = { type: 'AdviceGiven', atMs, advice };
  if (!now || stage.name !== 'asking' || stage.handoff.byHand) return { events: [given] };
  const cut: Attempt = {
    ...{ job, handoff: stage.handoff, atMs, response: 'ERROR', action: 'RETRY', cause: 'told' },
    reason: 'it was told something that could not wait',
    unanswered: { request: null, ...leftBy(job, used) },
  };
  return { events: [given, ...endAttempt(cut, { to: 'phase', status: 'PENDING', phase: job.phase })] };
}

/** Nothing when that attempt has ended since it was looked at: then its end has told what it used. */
function leftBy({ stage }: LiveJob, told: UsedSoFar | undefined): { usage: Usage; thread?: string | undefined } {
  if (!told || stage.name !== 'asking') return { usage: NO_USAGE };
  const { key, attempt } = stage.handoff;
  return key === told.handoff && attempt === told.attempt ? told : { usage: NO_USAGE };
}

function checkpoint(job: LiveJob, { atMs, description, files = [] }: Command<'Checkpoint'>): Outcome {
  if (!job.workspace || isFinal(job.status)) return no(job, 'get a recovery point');
  const { sequence, phase, commit, workspace } = job;
  const point = {
    id: nextPointId(job),
    sequence: sequence - 1,
    resumePhase: phase,
    commit: commit ?? workspace.base,
    description,
    ...(files.length > 0 && { files }),
  };
  return { events: [{ type: 'PointTaken', atMs, point }] };
}

function rollback(job: LiveJob, { atMs, point: id, files, older }: Command<'Rollback'>): Outcome {
  if (!isMovable(job)) return no(job, 'be rolled back');
  const kept = job.points.find((one) => one.id === id);
  const brought = older?.id === id && !kept ? older : undefined;
  const point = kept ?? brought;
  const known = job.points.map((one) => one.id);
  if (!point) return refuse('INVALID_TRANSITION', `there is no recovery point ${id}`, { points: known });
  if (point.commit === null) {
    return refuse('INVALID_TRANSITION', `${id} has no files to go back to: the job has no repository`, {
      points: known,
    });
  }
  const question = openQuestion(job);
  const named = files.length > 0 ? files : (point.files ?? []);
  const begun = { type: 'RollbackBegun', atMs, point: id, files: named, question } as const;
  return { events: [brought ? { ...begun, older: brought } : begun] };
}

function setPhase(job: LiveJob, atMs: number, phase: string, zeroed: boolean): Outcome {
  if (!isMovable(job) || (isHalted(job.status) && !zeroed)) return no(job, zeroed ? 'be run again' : 'be stepped back');
  if (!phaseNamed(job, phase)) return unknownPhase(job, phase);
  return { events: [{ type: 'PhaseSet', atMs, phase, zeroed, question: openQuestion(job) }] };
}

/** Nobody works on it at the moment, and it has not ended. */
function isMovable({ stage }: LiveJob): boolean {
  return ['resting', 'queued', 'pausing', 'parked', 'approving'].includes(stage.name);
}

/** Where a job that was set to a phase stands. */
export function statusAtRest({ status }: LiveJob): RestingStatus | 'PENDING' {
  return isHalted(status) || status === 'INTERVENTION_REQUIRED' ? status : 'PENDING';
}

function no(job: LiveJob, what: string): Outcome {
  const { status, stage } = job;
  const why = stage.name === 'resting' ? ` (${stage.why})` : '';
  return refuse('INVALID_TRANSITION', `a job that is ${status}${why} cannot ${what}`, { status });
}

function unknownPhase({ order }: LiveJob, phase: string): Outcome {
  const phases = order.phases.map(({ name }) => name);
  return refuse('INVALID_TRANSITION', `there is no phase ${phase}`, { phases });
}
