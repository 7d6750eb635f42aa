import { canonicalJson } from '../shared/canonical-json.js';
import type { BridgeRequest } from './bridge-request.js';

type Asked = Pick<BridgeRequest, 'phase' | 'agent_name' | 'prompt' | 'context'>;

/** Equal for requests that ask the same of the same agent, whatever their ids and times. To be hashed. */
export function requestFingerprint({ phase, agent_name, prompt, context }: Asked): string {
  return canonicalJson({ phase, agent_name, prompt, context });
}
