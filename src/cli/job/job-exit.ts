import type { JobStatus } from '../../core/job/job-status.js';

const EXITS: Readonly<Record<JobStatus, number>> = {
  DRAFT: 0,
  PENDING: 0,
  RUNNING: 0,
  REVIEWING: 0,
  SUCCESS: 0,
  CANCELED: 1,
  INTERVENTION_REQUIRED: 3,
  HALTED_COST: 4,
  HALTED_TIME: 4,
};

/** How `run`, `job run` and `job step` end. */
export function jobExit(status: JobStatus): number {
  return EXITS[status];
}
