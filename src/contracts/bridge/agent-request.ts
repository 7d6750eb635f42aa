import type { AgentRequest } from '../generated/types/agent-request.js';
import { validate, validateStrict } from '../generated/validators/agent-request.js';
import type { Contract } from '../shared/contract.js';

export const agentRequest: Contract<AgentRequest> = {
  name: 'agent-request',
  validate,
  validateStrict,
  rules: [],
};
