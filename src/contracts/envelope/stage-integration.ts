import type { IntegrationOutput } from '../generated/types/stage-integration.js';
import { validate, validateStrict } from '../generated/validators/stage-integration.js';
import type { Contract } from '../shared/contract.js';

export const stageIntegration: Contract<IntegrationOutput> = {
  name: 'stage-integration',
  validate,
  validateStrict,
  rules: [],
};
