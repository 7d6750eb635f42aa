import type { SessionEvent } from '../generated/types/event.js';
import { validate, validateStrict } from '../generated/validators/event.js';
import type { Contract } from '../shared/contract.js';

export const event: Contract<SessionEvent> = {
  name: 'event',
  validate,
  validateStrict,
  rules: [],
};
