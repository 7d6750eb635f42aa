import type { Decider, Decision } from '../kernel/decider.js';
import { refuse } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { decideCommand, submit } from './decide-command.js';
import { decideResult } from './decide-result.js';
import { agentOf, outstandingOf } from './job-effects.js';
import { evolveJob } from './job-evolve.js';
import { inboxOf } from './job-inbox.js';
import type { JobCommand, JobEvent } from './job-messages.js';
import { projectIn } from './job-order.js';
import { isHeld, type Job, type LiveJob } from './job-state.js';
import { isFinal } from './job-status.js';

/** Contract 000: an order of work, asked phase by phase, proven, limited, and brought before a person when needed. */
export const jobDecider: Decider<JobCommand, JobEvent, Job> = {
  kind: 'job',
  version: 3,
  initialState: () => ({ status: 'NEW' }),
  decide: decideJob,
  evolve: evolveJob,
  outstanding: (job) => (job.status === 'NEW' ? [] : outstandingOf(job)),
  summary,
  inbox: (event): InboxChange | undefined => inboxOf(event),
};

function decideJob(job: Readonly<Job>, command: JobCommand): Decision<JobEvent> {
  if (command.type === 'Submit') return submit(job, command);
  if (job.status === 'NEW') return refuse('INVALID_TRANSITION', 'there is no such job yet');
  switch (command.type) {
    case 'Activate':
    case 'Cancel':
    case 'Terminate':
    case 'Resubmit':
    case 'Approve':
    case 'Reject':
    case 'Raise':
    case 'PostStep':
    case 'Decide':
    case 'Advise':
    case 'NotePullRequest':
    case 'Checkpoint':
    case 'Rollback':
    case 'Restep':
    case 'Rerun':
    case 'Go':
    case 'Rank':
      return decideCommand(job, command);
    default:
      return decideResult(job, command);
  }
}

function summary(job: Readonly<Job>): RunSummary {
  if (job.status === 'NEW') throw new Error('a job has no row before it is submitted');
  const { status, order, spent, stage } = job;
  const pausing = stage.name === 'pausing';
  return {
    status,
    title: order.title,
    agent: agentOf(job),
    project: projectIn(order),
    parent: null,
    owes: !pausing && !isAtRest(job),
    wakeAtMs: 'untilMs' in stage ? stage.untilMs : null,
    waitingFor: waitingFor(job),
    ended: isFinal(status),
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: job.handoffs,
  };
}

function waitingFor(job: LiveJob): string | null {
  const { stage } = job;
  if (isHeld(job)) return 'step';
  if (stage.name === 'resting') return stage.why;
  if (stage.name === 'approving') return 'permission';
  if (stage.name === 'parked') return 'budget';
  return stage.name === 'asking' && stage.question !== null ? 'turn' : null;
}

function isAtRest(job: Exclude<Job, { status: 'NEW' }>): boolean {
  for (const _ of outstandingOf(job)) return false;
  return true;
}
