import type { PlanOutput } from '../generated/types/stage-plan.js';
import { validate, validateStrict } from '../generated/validators/stage-plan.js';
import type { Contract } from '../shared/contract.js';

export const stagePlan: Contract<PlanOutput> = {
  name: 'stage-plan',
  validate,
  validateStrict,
  rules: [],
};
