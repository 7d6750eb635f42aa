import type { Scenario } from '../generated/types/scenario.js';
import { validate, validateStrict } from '../generated/validators/scenario.js';
import type { Contract } from '../shared/contract.js';

export const scenario: Contract<Scenario> = {
  name: 'scenario',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [],
};
