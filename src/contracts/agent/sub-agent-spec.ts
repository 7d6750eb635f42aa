import type { SubAgentSpec } from '../generated/types/sub-agent-spec.js';
import { validate, validateStrict } from '../generated/validators/sub-agent-spec.js';
import type { Contract } from '../shared/contract.js';

export const subAgentSpec: Contract<SubAgentSpec> = {
  name: 'sub-agent-spec',
  validate,
  validateStrict,
  rules: [],
};
