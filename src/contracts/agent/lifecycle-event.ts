import type { LifecycleEvent } from '../generated/types/lifecycle-event.js';
import { validate, validateStrict } from '../generated/validators/lifecycle-event.js';
import type { Contract } from '../shared/contract.js';

export const lifecycleEvent: Contract<LifecycleEvent> = {
  name: 'lifecycle-event',
  validate,
  validateStrict,
  rules: [],
};
