import type { AgentRequest } from '../generated/types/agent-request.js';
import type { BridgeResponse } from '../generated/types/bridge-response.js';
import { validate, validateStrict } from '../generated/validators/bridge-response.js';
import type { Contract } from '../shared/contract.js';
import { deny } from '../shared/verdict.js';

/** Contract 001, "Agent Response File". */
export const bridgeResponse: Contract<BridgeResponse> = {
  name: 'bridge-response',
  validate,
  validateStrict,
  rules: [],
  against: {
    contract: 'agent-request',
    check({ request_id }, request) {
      const { request_id: expected } = request as AgentRequest;
      return (
        request_id === expected ||
        deny('VALIDATION_ERROR', `/request_id ${request_id} does not answer request ${expected}`, {
          path: '/request_id',
          expected,
        })
      );
    },
  },
};
