import type { JobCard } from '../../contracts/api/job-shapes.js';
import type { Rest } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import { amountWords } from '../../core/kernel/budget.js';
import { reasonOf } from '../job/job-object.js';
import { limitOptions } from '../job/job-options.js';
import type { RunRow } from '../ports.js';
import { runObject } from './run-object.js';

/** A job as lists and boards show it: its run, and where it stands among its phases, its limits and other jobs. */
export function jobCard(row: RunRow, job: LiveJob, item: number | null): JobCard {
  const { order, phase } = job;
  return {
    ...runObject(row, item),
    phases: order.phases.map(({ name, role }) => ({ name, role })),
    phase: order.phases.findIndex(({ name }) => name === phase),
    limits: limitOptions(order.limits),
    ...{ rank: order.rank, after: order.after },
    now: nowWords(job),
  };
}

/** What happens with it just now, or what it rests on, in a few words. */
function nowWords(job: LiveJob): string {
  const { stage, phase } = job;
  switch (stage.name) {
    case 'draft':
      return 'not started';
    case 'waiting':
      return `after ${stage.for.join(', ')}`;
    case 'preparing':
      return 'workspace is prepared';
    case 'queued':
    case 'pausing':
      return stage.name === 'queued' ? `${phase}, waits for its turn` : `${phase}, tried again soon`;
    case 'asking':
      return stage.handoff.attempt > 1 ? `${phase}, attempt ${stage.handoff.attempt}` : phase;
    case 'collecting':
    case 'checking':
      return stage.name === 'collecting' ? `${phase}, answer is read` : `${phase}, checks run`;
    case 'parked':
      return stage.reason;
    case 'approving':
      return `${phase}, asks for permission`;
    case 'resting':
      return restWords(job, stage.why);
    case 'restoring':
      return `goes back to ${stage.point.id}`;
    case 'ended':
      return endWords(job);
  }
}

function restWords(job: LiveJob, why: Rest): string {
  const { status, order } = job;
  const { costMicroUsd = 0, activeMs = 0 } = order.limits;
  if (status === 'HALTED_COST' && costMicroUsd > 0)
    return `raise the ${amountWords('costMicroUsd', costMicroUsd)} limit`;
  if (status === 'HALTED_TIME' && activeMs > 0) return `raise the ${amountWords('activeMs', activeMs)} limit`;
  return why === 'approval' ? 'approve the result' : reasonOf(why, job);
}

function endWords({ proof, pullRequest }: LiveJob): string {
  if (pullRequest !== null) return 'pull request opened';
  return proof === null ? '' : `${proof} of ${proof} checks passed`;
}
