import type { AgentResponse } from '../../contracts/generated/types/agent-response.js';
import type { JobManifest } from '../../contracts/generated/types/job-manifest.js';

/** Exactly the nine of the contract. A status says what is due next or under way. */
export type JobStatus = JobManifest['status'];
export type Action = AgentResponse['action'];

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
