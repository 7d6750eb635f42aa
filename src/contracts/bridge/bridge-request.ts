import type { AgentRequest } from '../generated/types/agent-request.js';
import { type Contract, parseContract, type Validate } from '../shared/contract.js';
import { isObject } from '../shared/is-object.js';
import { type Denial, deny } from '../shared/verdict.js';
import { agentRequest } from './agent-request.js';

type Names = { phase_name: string; agent_name: string };

/** A request with all its ten fields and with names that only a profile closes. */
export type BridgeRequest = Omit<Required<AgentRequest>, keyof Names> & Names;

const DOCUMENT_NAMES = {
  phase_name: 'codebase_analysis',
  agent_name: 'architectural-reviewer',
} as const satisfies Partial<AgentRequest>;

/**
 * The published schema closes both names, as the document does, and stays the one source for everything else. So it
 * judges a copy in which names that are texts are replaced by names it knows; their own rule follows.
 */
function withNamesOpen(validate: Validate): Validate {
  const open: Validate = (value) => {
    const fits = validate(isObject(value) ? { ...value, ...knownNames(value) } : value);
    open.errors = validate.errors ?? null;
    return fits;
  };
  return open;
}

function knownNames(value: Record<string, unknown>): Partial<AgentRequest> {
  return {
    ...(typeof value.phase_name === 'string' && { phase_name: DOCUMENT_NAMES.phase_name }),
    ...(typeof value.agent_name === 'string' && { agent_name: DOCUMENT_NAMES.agent_name }),
  };
}

const bridgeRequest: Contract<BridgeRequest> = {
  name: 'agent-request',
  validate: withNamesOpen(agentRequest.validate),
  validateStrict: withNamesOpen(agentRequest.validateStrict),
  rules: [
    ({ phase_name }) => notBlank('/phase_name', phase_name),
    ({ agent_name }) => notBlank('/agent_name', agent_name),
  ],
};

export function parseBridgeRequest(value: unknown): BridgeRequest {
  return parseContract(bridgeRequest, value);
}

function notBlank(path: string, text: string): true | Denial {
  return text.trim() !== '' || deny('SCHEMA_INVALID', `${path} is blank`, { path });
}
