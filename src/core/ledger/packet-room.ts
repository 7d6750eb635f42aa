import { type Decision, refuse } from '../kernel/decider.js';

/** An attempt begins with one event that holds the order, its task and what others have: together they must fit in. */
export const ORDER_BYTES_MAX = 12 * 1024;
export const TASK_BYTES_MAX = 12 * 1024;
export const LOCKS_BYTES_MAX = 16 * 1024;

export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

export function tooLarge(what: string, max: number): Decision<never> {
  return refuse('PAYLOAD_TOO_LARGE', `${what}: more than ${max} bytes as JSON`, { bytes_max: max });
}
