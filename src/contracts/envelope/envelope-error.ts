import type { EnvelopeError } from '../generated/types/envelope-error.js';
import { validate, validateStrict } from '../generated/validators/envelope-error.js';
import type { Contract } from '../shared/contract.js';

export const envelopeError: Contract<EnvelopeError> = {
  name: 'envelope-error',
  validate,
  validateStrict,
  rules: [],
};
