import type { CriticOutput } from '../generated/types/stage-critic.js';
import { validate, validateStrict } from '../generated/validators/stage-critic.js';
import type { Contract } from '../shared/contract.js';

export const stageCritic: Contract<CriticOutput> = {
  name: 'stage-critic',
  validate,
  validateStrict,
  rules: [],
};
