import { type BridgeRequest, parseBridgeRequest } from './bridge-request.js';
import { BRIDGE_VERSION } from './bridge-version.js';

export type AgentRequestFields = Pick<
  BridgeRequest,
  'request_id' | 'created_at' | 'phase' | 'phase_name' | 'agent_name' | 'prompt'
> &
  Partial<Pick<BridgeRequest, 'context' | 'timeout_seconds' | 'retry_count'>>;

export const TIMEOUT_SECONDS = 120;

/** All ten fields, as the document's class writes them. Fields that the contract refuses are refused here. */
export function createAgentRequest(fields: AgentRequestFields): BridgeRequest {
  return parseBridgeRequest({
    request_id: fields.request_id,
    version: BRIDGE_VERSION,
    phase: fields.phase,
    phase_name: fields.phase_name,
    agent_name: fields.agent_name,
    prompt: fields.prompt,
    context: fields.context ?? {},
    timeout_seconds: fields.timeout_seconds ?? TIMEOUT_SECONDS,
    created_at: fields.created_at,
    retry_count: fields.retry_count ?? 0,
  });
}
