import type { BatonError } from '../shared/errors.js';

/** A refusal that also says `error` and `message`, which is what the other implementations of contract 002 look for. */
export function envelopeRefusal(failure: BatonError): object {
  return { ...failure.toObject(), error: true, message: failure.message };
}
