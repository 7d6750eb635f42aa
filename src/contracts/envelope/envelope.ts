import type { Envelope } from '../generated/types/envelope.js';
import { validate, validateStrict } from '../generated/validators/envelope.js';
import type { Contract } from '../shared/contract.js';
import { firstDenial } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';

/** Bounds only hold when no sender can lower what is counted against them. */
const COUNTERS = ['iteration', 'llm_call_count', 'agent_hop_count', 'current_stage_number'] as const;

/** Contract 002. The printed schema is the whole contract of one envelope. */
export const envelope: Contract<Envelope> = {
  name: 'envelope',
  validate,
  validateStrict,
  rules: [],
  against: {
    contract: 'envelope',
    check(value, earlier) {
      const recorded = earlier as Envelope;
      if (value.envelope_id !== recorded.envelope_id) {
        return deny('NON_COMPLIANT', `/envelope_id ${value.envelope_id} is not ${recorded.envelope_id}`, {
          path: '/envelope_id',
          expected: recorded.envelope_id,
        });
      }
      return firstDenial(COUNTERS.map((counter) => refuseLower(counter, value[counter], recorded[counter])));
    },
  },
};

function refuseLower(counter: string, value = 0, recorded = 0): true | Denial {
  return (
    value >= recorded ||
    deny('ENVELOPE_STALE', `/${counter} went down from ${recorded} to ${value}`, { path: `/${counter}`, recorded })
  );
}
