import type { AgentRegistration } from '../generated/types/agent.js';

/** `account`: whose limits and whose loss concern it. */
export type Agent = Partial<AgentRegistration> & {
  id: string;
  adapter: string;
  status: string;
  login?: string;
  account?: string;
};
