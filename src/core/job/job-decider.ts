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
import type { Job, LiveJob } from './job-state.js';
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
    project: order.repository?.folder ?? null,
    parent: null,
    owes: !pausing && !isAtRest(job),
    wakeAtMs: pausing ? stage.untilMs : null,
    waitingFor: waitingFor(stage),
    ended: isFinal(status),
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: job.handoffs,
  };
}

function waitingFor(stage: LiveJob['stage']): string | null {
  if (stage.name === 'resting') return stage.why;
  if (stage.name === 'approving') return 'permission';
  return stage.name === 'asking' && stage.question !== null ? 'turn' : null;
}

function isAtRest(job: Exclude<Job, { status: 'NEW' }>): boolean {
  for (const _ of outstandingOf(job)) return false;
  return true;
}
