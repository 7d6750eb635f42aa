import type { Envelope } from '../generated/types/envelope.js';
import { withDefaults } from './envelope-defaults.js';
import { readEnvelope } from './read-envelope.js';

/** The document's `from_state_dict`: validates while it reads. */
export function fromStateDict(state: unknown): Envelope {
  return readEnvelope(state);
}

/** The document's `to_state_dict`: every field of the schema; null only where the schema allows it, else left out. */
export function toStateDict(envelope: Envelope): Envelope {
  return withDefaults(envelope) as Envelope;
}
