import type { Visualization } from '../generated/types/visualization.js';
import { validate, validateStrict } from '../generated/validators/visualization.js';
import type { Contract } from '../shared/contract.js';

export const visualization: Contract<Visualization> = {
  name: 'visualization',
  validate,
  validateStrict,
  rules: [],
};
