import type { VerdictObject } from '../generated/types/verdict.js';
import { validate, validateStrict } from '../generated/validators/verdict.js';
import type { Contract } from '../shared/contract.js';

export const verdict: Contract<VerdictObject> = {
  name: 'verdict',
  validate,
  validateStrict,
  rules: [],
};
