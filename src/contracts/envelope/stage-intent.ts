import type { IntentOutput } from '../generated/types/stage-intent.js';
import { validate, validateStrict } from '../generated/validators/stage-intent.js';
import type { Contract } from '../shared/contract.js';

export const stageIntent: Contract<IntentOutput> = {
  name: 'stage-intent',
  validate,
  validateStrict,
  rules: [],
};
