import type { HandoffClaimBody } from '../generated/types/handoff-claim.js';
import { validate, validateStrict } from '../generated/validators/handoff-claim.js';
import type { Contract } from '../shared/contract.js';

export const handoffClaim: Contract<HandoffClaimBody> = { name: 'handoff-claim', validate, validateStrict, rules: [] };
