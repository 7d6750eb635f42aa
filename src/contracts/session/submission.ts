import type { Submission } from '../generated/types/submission.js';
import { validate, validateStrict } from '../generated/validators/submission.js';
import type { Contract } from '../shared/contract.js';
import { deny } from '../shared/verdict.js';

export const submission: Contract<Submission> = {
  name: 'submission',
  validate,
  validateStrict,
  rules: [
    ({ op }) =>
      !('guidance' in op) ||
      !('decision' in op) ||
      op.decision === 'denied' ||
      deny('SCHEMA_INVALID', 'guidance goes with denied alone: what is allowed is done as it stands'),
  ],
};
