import { decideCommand } from '../../core/job/decide-command.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import type { JobStatus } from '../../core/job/job-status.js';
import type { Between } from '../projections/ended-attempt.js';
import { limitsOf } from './job-options.js';

const GOING: readonly JobStatus[] = ['PENDING', 'RUNNING', 'REVIEWING'];
const RESTING: readonly JobStatus[] = ['INTERVENTION_REQUIRED', 'HALTED_COST', 'HALTED_TIME'];

/** Where a job stands when a person does something, and where it goes: no agent makes these moves. */
export const MOVES_OF_PEOPLE: readonly { from: JobStatus; to: JobStatus; by: string }[] = [
  ...RESTING.map((from) => ({
    from,
    to: 'PENDING' as const,
    by: 'resubmit, reject, raise, restep, rerun or rollback',
  })),
  { from: 'INTERVENTION_REQUIRED', to: 'RUNNING', by: 'approve' },
  { from: 'INTERVENTION_REQUIRED', to: 'REVIEWING', by: 'approve' },
  { from: 'RUNNING', to: 'PENDING', by: 'restep, rerun or rollback' },
  { from: 'REVIEWING', to: 'PENDING', by: 'restep, rerun or rollback' },
];

/** The events of what happened between two attempts; undefined when it cannot have happened there. */
export function happened(act: Between, job: LiveJob, atMs: number): readonly JobEvent[] | undefined {
  const { status } = job;
  const question = job.questions;
  switch (act.what) {
    case 'workspace': {
      const setupMs = Math.round(act.seconds * 1_000);
      const workspace = { folder: '', branch: null, base: null, setupMs, leftOut: 0, notes: [] };
      return job.workspace && job.stage.name !== 'preparing'
        ? undefined
        : [{ type: 'WorkspacePrepared', atMs, ...workspace }];
    }
    case 'rest': {
      const rest = { status: act.status, why: act.why, question: question + 1, handoff: null };
      return [{ type: 'JobRested', atMs, ...rest }];
    }
    case 'limits':
      return [{ type: 'LimitsRaised', atMs, limits: limitsOf(act.limits) }];
    case 'raise':
      if (!RESTING.includes(status)) return undefined;
      return [{ type: 'JobResumed', atMs, by: 'raise', phase: act.phase, guidance: null, question }];
    case 'rollback':
      if (![...GOING, ...RESTING].includes(status)) return undefined;
      return rolledBack(job, act.phase, atMs);
    case 'resubmit':
      return decided(job, { type: 'Resubmit', atMs, guidance: null, phase: act.phase });
    case 'reject':
      return decided(job, { type: 'Reject', atMs, guidance: null, phase: act.phase });
    case 'approve':
      return decided(job, { type: 'Approve', atMs });
    case 'restep':
      return decided(job, { type: 'Restep', atMs, phase: act.phase });
    case 'rerun':
      return decided(job, { type: 'Rerun', atMs });
    default:
      return undefined; // a file says what it likes
  }
}

/** What was rolled back has a workspace, though it rested for want of one. */
function rolledBack({ stage, workspace, questions: question }: LiveJob, phase: string, atMs: number): JobEvent[] {
  const set: JobEvent = { type: 'PhaseSet', atMs, phase, zeroed: false, question };
  if (!workspace || stage.name !== 'resting' || stage.why !== 'workspace') return [set];
  return [set, { type: 'WorkspacePrepared', atMs, ...workspace, setupMs: 0, leftOut: 0, notes: [] }];
}

function decided(job: LiveJob, command: Parameters<typeof decideCommand>[1]): readonly JobEvent[] | undefined {
  const decision = decideCommand(job, command);
  return 'events' in decision ? decision.events : undefined;
}
