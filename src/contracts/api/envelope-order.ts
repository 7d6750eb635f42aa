import type { EnvelopeOrderBody } from '../generated/types/envelope-order.js';
import { validate, validateStrict } from '../generated/validators/envelope-order.js';
import type { Contract } from '../shared/contract.js';

export const envelopeOrder: Contract<EnvelopeOrderBody> = {
  name: 'envelope-order',
  validate,
  validateStrict,
  rules: [],
};
