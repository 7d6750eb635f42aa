import type { JobObject } from '../../contracts/api/job-shapes.js';
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

/** How `run`, `job run` and `job step` end. Whoever waits for a person's turn waits for a person. */
export function jobExit({ status, waiting_for: item }: Pick<JobObject, 'status' | 'waiting_for'>): number {
  return EXITS[status] === 0 && item !== null ? EXITS.INTERVENTION_REQUIRED : EXITS[status];
}
