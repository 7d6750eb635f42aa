import { type Decision, refuse } from '../kernel/decider.js';

/**
 * An event holds 64 KiB. The largest is the order of an attempt: its task, what the ledger's order says to all, and the
 * paths that others have. So much of each may there be, as JSON in UTF-8.
 */
export const ORDER_BYTES_MAX = 20 * 1024;
export const TASK_BYTES_MAX = 20 * 1024;
export const LOCKS_BYTES_MAX = 8 * 1024;
/** Of tasks that are planned by one event. */
export const PORTION_BYTES_MAX = 40 * 1024;

const UTF8 = new TextEncoder();

export function bytesOf(value: unknown): number {
  return UTF8.encode(JSON.stringify(value)).length;
}

export function tooLarge(what: string, max: number): Decision<never> {
  return refuse('PAYLOAD_TOO_LARGE', `${what}: more than ${max} bytes as JSON`, { bytes_max: max });
}
