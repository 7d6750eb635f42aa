import type { HandoffBundle } from '../generated/types/handoff-bundle.js';
import { validate, validateStrict } from '../generated/validators/handoff-bundle.js';
import type { Contract } from '../shared/contract.js';
import { firstDenial } from '../shared/untrusted-text.js';
import { knownCodes } from './blocker-rules.js';
import { locksApart, normalisable, resourcesNormalise, withoutSelfOverlap } from './scope-rules.js';

/** Contract 003, "Artifact: Fresh-Context Handoff Bundle". */
export const handoffBundle: Contract<HandoffBundle> = {
  name: 'handoff-bundle',
  validate,
  validateStrict,
  versioned: 'required',
  rules: [
    ({ ledger }) =>
      firstDenial(
        ledger.map((row, index) => normalisable(row.lock_scope, (at) => `/ledger/${index}/lock_scope/${at}`)),
      ),
    ({ active_locks }) => resourcesNormalise(active_locks, '/active_locks'),
    ({ open_blockers }) => knownCodes(open_blockers, '/open_blockers'),
    ({ active_locks }) => locksApart(active_locks, '/active_locks'),
    ({ ledger }) =>
      firstDenial(ledger.map((row, index) => withoutSelfOverlap(row.lock_scope, `/ledger/${index}/lock_scope`))),
  ],
};
