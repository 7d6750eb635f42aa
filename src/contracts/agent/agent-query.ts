import type { AgentQuery } from '../generated/types/agent-query.js';
import { validate, validateStrict } from '../generated/validators/agent-query.js';
import type { Contract } from '../shared/contract.js';

export const agentQuery: Contract<AgentQuery> = {
  name: 'agent-query',
  validate,
  validateStrict,
  rules: [],
};
