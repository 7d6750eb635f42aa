/** What the world owes a job, from its state alone. */
import type { Ask, Effect } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { wantedWords } from '../kernel/wanted-words.js';
import type { JobDeeds, Workspace } from './job-deeds.js';
import { checksOf, projectIn } from './job-order.js';
import { duePhase, type Handoff, isHeld, type LiveJob } from './job-state.js';

export const WORKSPACE_KEY = 'workspace';
export const COMPOSER = 'job';

/** With the lane: a job that is set to another phase while it queues waits for another agent. */
/** With its rank: one that was moved stands in the queue anew. */
export const admitKey = (job: LiveJob, { key, attempt }: Handoff): string => {
  const moved = job.order.rank === 0 ? '' : `-rank${job.order.rank}`;
  return `admit-${key}.${attempt}-${agentOf(job)}${moved}`;
};
export const affordKey = ({ key, attempt }: Handoff): string => `afford-${key}.${attempt}`;
export const collectKey = ({ key, attempt }: Handoff): string => `collect-${key}.${attempt}`;
export const checkKey = ({ key, attempt }: Handoff): string => `check-${key}.${attempt}`;
export const restoreKey = ({ questions, pointsTaken }: LiveJob): string => `restore-${questions}-${pointsTaken}`;

/** All a request is made of; bodies are named, not contained. */
export type RequestFacts = Pick<LiveJob, 'order' | 'phase' | 'guidance' | 'handedOn'> & { workspace: Workspace };

export function* outstandingOf(job: LiveJob): Iterable<Effect> {
  const { stage, order } = job;
  switch (stage.name) {
    case 'draft':
    case 'ended':
      return;
    case 'waiting':
      for (const run of stage.for) yield { type: 'Await', key: `await-${run}`, run };
      return;
    case 'preparing':
      yield prepare(job);
      return;
    case 'queued':
      if (isHeld(job)) return;
      yield admit(job, stage.handoff);
      return;
    case 'pausing':
      yield { type: 'Wake', key: `wake-${stage.handoff.key}.${stage.handoff.attempt}`, atMs: stage.untilMs };
      return;
    case 'parked':
      yield { type: 'Afford', key: affordKey(stage.handoff), project: projectIn(order) };
      return;
    case 'asking':
      if (!stage.handoff.byHand) yield askOf(job, stage);
      return;
    case 'collecting': {
      if (!job.workspace) return yield prepare(job);
      const { handoff, answer } = stage;
      yield perform('collect', collectKey(handoff), {
        workspace: job.workspace,
        answer,
        handoff: handoff.key,
        phase: job.phase,
        exact: handoff.byHand,
      });
      return;
    }
    case 'checking': {
      if (!job.workspace) return;
      const { protect, env } = order;
      const checks = checksOf(order, duePhase(job));
      const input = { workspace: job.workspace, handoff: stage.handoff.key, checks, protect, env };
      yield perform('check', checkKey(stage.handoff), input);
      return;
    }
    case 'restoring': {
      const { commit } = stage.point;
      if (!job.workspace || commit === null) return;
      yield perform('restore', restoreKey(job), { workspace: job.workspace, commit, files: stage.files });
      return;
    }
    case 'resting':
    case 'approving': {
      const why = stage.name === 'resting' ? stage.why : `asks whether it may ${wantedWords(stage.wanted)}`;
      if (!stage.notified) yield { type: 'Notify', key: `notify-${stage.question}`, title: `${order.title}: ${why}` };
      return;
    }
    default:
      unreachable(stage);
  }
}

function askOf(job: LiveJob, { handoff, deadlineMs }: Extract<LiveJob['stage'], { name: 'asking' }>): Effect {
  const { key, attempt, agent } = handoff;
  const request = { composer: COMPOSER, from: requestFacts(job) };
  return {
    ...{ type: 'Ask', key, agent, lane: agent, request, attempt, deadlineMs },
    ...threadOf(job, agent),
    ...(job.verdict && { verdict: job.verdict }),
  };
}

/** Its own conversation; before it has one, that of the job it was forked from. */
function threadOf({ threads, phase, order }: LiveJob, agent: string): Pick<Ask, 'thread' | 'copyOf'> {
  const own = threads[phase];
  if (own) return own.agent === agent ? { thread: own.thread } : {};
  const origin = order.forkedFrom?.threads?.[phase];
  if (origin?.agent !== agent) return {};
  const { run, thread, untilMs } = origin;
  return { copyOf: { run, thread, untilMs } };
}

export function agentOf(job: LiveJob): string {
  return job.standIn ?? duePhase(job).agent;
}

export function requestFacts(job: LiveJob): RequestFacts {
  const { order, phase, guidance, handedOn, workspace } = job;
  if (!workspace) throw new Error('nobody is asked before there is a workspace');
  return { order, phase, guidance, handedOn, workspace };
}

/** Whoever has somebody to fall back on, or wants to be asked, finds out about a provider's limit for itself. */
function admit(job: LiveJob, handoff: Handoff): Effect {
  const { order, standIn } = job;
  const { locks = [], repository, fallback, onLimit } = order;
  const patient = (fallback === null || standIn !== null) && onLimit !== 'ask';
  return {
    ...{ type: 'Admit', key: admitKey(job, handoff), lane: agentOf(job), rank: order.rank, patient },
    // A person's turn costs nothing.
    ...(duePhase(job).byHand !== true && { pays: projectIn(order) }),
    ...(locks.length > 0 && { locks: { scope: repository?.folder ?? '', resources: locks } }),
  };
}

function prepare({ order: { repository, setup, env, forkedFrom }, workspace, commit }: LiveJob): Effect {
  const before = workspace && { base: workspace.base, commit };
  return perform('prepare', WORKSPACE_KEY, { repository, setup, env, forkedFrom, before });
}

function perform<Deed extends keyof JobDeeds>(deed: Deed, key: string, input: JobDeeds[Deed]['input']): Effect {
  return { type: 'Perform', key, deed: `job.${deed}`, input };
}
