import type { JobEvent } from '../../core/job/job-messages.js';
import type { Job } from '../../core/job/job-state.js';
import { limitOptions } from '../job/job-options.js';
import type { Between } from './ended-attempt.js';

/** What an event that happens between two attempts looks like in a history; undefined for all that moves nothing. */
export function betweenOf(event: JobEvent, job: Job): Between | undefined {
  const at = new Date(event.atMs).toISOString();
  switch (event.type) {
    case 'WorkspacePrepared':
      return { at, what: 'workspace', seconds: event.setupMs / 1_000 };
    case 'JobRested':
      // A rest that an attempt ended in is that attempt's new status.
      return event.handoff === null ? { at, what: 'rest', status: event.status, why: event.why } : undefined;
    case 'LimitsRaised':
      return { at, what: 'limits', limits: limitOptions(event.limits), ...(isUnderWay(job) && { during: true }) };
    case 'JobResumed':
      return { at, what: event.by, phase: event.phase };
    case 'JobApproved':
      return { at, what: 'approve' };
    case 'PhaseSet':
      return { at, what: event.zeroed ? 'rerun' : 'restep', phase: event.phase };
    case 'RolledBack': {
      const point = 'stage' in job && job.stage.name === 'restoring' ? job.stage.point : undefined;
      return event.problem === null && point ? { at, what: 'rollback', phase: point.resumePhase } : undefined;
    }
    default:
      return undefined;
  }
}

function isUnderWay(job: Job): boolean {
  return 'stage' in job && ['asking', 'collecting', 'checking'].includes(job.stage.name);
}
