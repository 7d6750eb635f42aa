import type { AgentRegistration } from '../generated/types/agent.js';
import { validate, validateStrict } from '../generated/validators/agent.js';
import type { Contract } from '../shared/contract.js';

export const agent: Contract<AgentRegistration> = {
  name: 'agent',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [],
};
