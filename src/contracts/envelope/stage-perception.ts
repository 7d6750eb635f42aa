import type { PerceptionOutput } from '../generated/types/stage-perception.js';
import { validate, validateStrict } from '../generated/validators/stage-perception.js';
import type { Contract } from '../shared/contract.js';

export const stagePerception: Contract<PerceptionOutput> = {
  name: 'stage-perception',
  validate,
  validateStrict,
  rules: [],
};
