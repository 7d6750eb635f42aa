import type { BatonError } from '../shared/errors.js';

/** A refusal about an envelope says `error` and `message` too, which is what other implementations of contract 002 look for. */
export function toldError(failure: BatonError): object {
  return { ...failure.toObject(), error: true, message: failure.message };
}
