import { BatonError } from '../../client/index.js';

/** After so long something that could not be read is read again. */
export const READ_AGAIN_MS = 2_000;

const PASSING: ReadonlySet<string> = new Set(['SERVER_UNREACHABLE', 'ENGINE_STOPPED', 'STORE_BUSY', 'RATE_LIMITED']);

/** Nobody answered, or not now. A refusal would be the same again. */
export function passes(failure: unknown): boolean {
  return !(failure instanceof BatonError) || PASSING.has(failure.code);
}
