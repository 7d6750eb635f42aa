import type { CheckpointState } from '../generated/types/checkpoint-state.js';

/**
 * pending: written and not answered · completed: answered · failed: answered, but not usable · rejected: what came was
 * no answer to it · abandoned: the run ended there, and whoever started it again did so knowingly.
 */
export type RequestStatus = 'pending' | 'completed' | 'failed' | 'rejected' | 'abandoned';

/** One line of `agent_requests`. Other programs may leave out all of it. */
export type RequestRecord = NonNullable<CheckpointState['agent_requests']>[number] & { fingerprint?: string };

/** An answer came for it; a response that repeats it is stale. */
export function wasAnswered({ status }: RequestRecord): boolean {
  return status !== undefined && status !== 'pending' && status !== 'rejected';
}
