import { BatonError } from '../shared/errors.js';
import { isObject } from '../shared/is-object.js';
import { type BridgeRequest, parseBridgeRequest } from './bridge-request.js';
import { BRIDGE_VERSION, bridgeVersionDenial } from './bridge-version.js';
import { TIMEOUT_SECONDS } from './create-agent-request.js';

/** What an orchestrator wrote. Where the document's class has a default for a field, it may be left out. */
export function readAgentRequest(value: unknown): BridgeRequest {
  const other = bridgeVersionDenial(value);
  if (other) throw new BatonError(other.code, other.reason, { contract: 'agent-request', ...other.details });
  if (!isObject(value)) return parseBridgeRequest(value);
  return parseBridgeRequest({
    version: BRIDGE_VERSION,
    context: {},
    timeout_seconds: TIMEOUT_SECONDS,
    retry_count: 0,
    ...value,
  });
}
