/** Exactly the nine of the contract. A status says what is due next or under way. */
export type JobStatus =
  | 'DRAFT'
  | 'PENDING'
  | 'RUNNING'
  | 'REVIEWING'
  | 'SUCCESS'
  | 'CANCELED'
  | 'INTERVENTION_REQUIRED'
  | 'HALTED_COST'
  | 'HALTED_TIME';

export type Action = 'COMPLETED' | 'STUCK' | 'RETRY';

export function isFinal(status: JobStatus): boolean {
  return status === 'SUCCESS' || status === 'CANCELED';
}

export function isHalted(status: JobStatus): status is 'HALTED_COST' | 'HALTED_TIME' {
  return status === 'HALTED_COST' || status === 'HALTED_TIME';
}

/** An agent works, or is about to. */
export function isActive(status: JobStatus): boolean {
  return status === 'PENDING' || status === 'RUNNING' || status === 'REVIEWING';
}
