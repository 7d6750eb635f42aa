import type { BridgeRequest } from '../contracts/bridge/bridge-request.js';
import { createBridgeResponse } from '../contracts/bridge/create-bridge-response.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import type { AgentInvoker } from './bridge.js';

/** What a handler would have written, from an agent that is asked here and now. */
export async function invokeAtOnce(invoker: AgentInvoker, request: BridgeRequest): Promise<BridgeResponse> {
  const { request_id, agent_name, prompt, timeout_seconds, phase, phase_name, context } = request;
  const begunAtMs = Date.now();
  const done = () => ({
    request_id,
    created_at: new Date().toISOString(),
    duration_seconds: Math.max(0, Date.now() - begunAtMs) / 1000,
  });
  try {
    const response = await invoker.invoke(agent_name, prompt, timeout_seconds, { phase, phase_name, context });
    return createBridgeResponse({ ...done(), status: 'success', response });
  } catch (failure) {
    const error_message = failure instanceof Error ? failure.message : String(failure);
    return createBridgeResponse({ ...done(), status: 'error', error_type: 'INVOCATION_FAILED', error_message });
  }
}
