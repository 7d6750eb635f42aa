import { envelopeOrder } from '../api/envelope-order.js';
import type { Envelope } from '../generated/types/envelope.js';
import { parseContract } from '../shared/contract.js';
import { readEnvelope } from './read-envelope.js';

/** Sixteen hexadecimal digits that nobody has had before. */
export type EnvelopeIds = { hex16(): string };

/** A new envelope before its first stage. Whose stages these are, the pipeline says later, unless the order does. */
export function createEnvelope(input: unknown, ids: EnvelopeIds, nowIso: string): Envelope {
  const order = parseContract(envelopeOrder, input);
  return readEnvelope({
    envelope_id: `env_${ids.hex16()}`,
    request_id: `req_${ids.hex16()}`,
    session_id: `sess_${ids.hex16()}`,
    ...order,
    received_at: nowIso,
    outputs: {},
    current_stage: 'start',
    terminated: false,
  });
}
