import type { LifecycleTransition } from '../generated/types/lifecycle-transition.js';
import { validate, validateStrict } from '../generated/validators/lifecycle-transition.js';
import type { Contract } from '../shared/contract.js';

export const lifecycleTransition: Contract<LifecycleTransition> = {
  name: 'lifecycle-transition',
  validate,
  validateStrict,
  rules: [],
};
