import type { PricesFile } from '../generated/types/prices.js';
import { validate, validateStrict } from '../generated/validators/prices.js';
import type { Contract } from '../shared/contract.js';

export const prices: Contract<PricesFile> = {
  name: 'prices',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [],
};
