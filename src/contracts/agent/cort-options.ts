import type { CoRTOptions } from '../generated/types/cort-options.js';
import { validate, validateStrict } from '../generated/validators/cort-options.js';
import type { Contract } from '../shared/contract.js';

export const cortOptions: Contract<CoRTOptions> = {
  name: 'cort-options',
  validate,
  validateStrict,
  rules: [],
};
