import { limitedOnly } from '../unconfined.js';

/** The agent confines itself; what Baton runs besides it has all rights of the user. */
export const agentSandbox = limitedOnly('agent', 'agent');
