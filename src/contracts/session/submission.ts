import type { Submission } from '../generated/types/submission.js';
import { validate, validateStrict } from '../generated/validators/submission.js';
import type { Contract } from '../shared/contract.js';

export const submission: Contract<Submission> = {
  name: 'submission',
  validate,
  validateStrict,
  rules: [],
};
