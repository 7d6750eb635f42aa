import { describe, expect, test } from 'vitest';
import request from '../../../examples/payloads/agent-request/minimal.json' with { type: 'json' };
import response from '../../../examples/payloads/bridge-response/completed-success.json' with { type: 'json' };
import state from '../../../examples/payloads/checkpoint-state/document-state.json' with { type: 'json' };
import type { BridgeResponse } from '../generated/types/bridge-response.js';
import { check, checkAgainst } from '../shared/contract.js';
import { agentRequest } from './agent-request.js';
import { bridgeResponse } from './bridge-response.js';
import { checkpointState } from './checkpoint-state.js';

test('a response must carry the id of the request it answers [R183]', () => {
  const answer = { ...response, request_id: request.request_id } as BridgeResponse;
  expect(checkAgainst(bridgeResponse, answer, request)).toMatchObject({ allow: true });
  const stale = { ...answer, request_id: '00000000-0000-4000-8000-000000000000' };
  expect(checkAgainst(bridgeResponse, stale, request)).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { path: '/request_id', expected: request.request_id },
  });
});

describe('the three files of the bridge', () => {
  test('hold no field that their document does not name, not even an extension [R124, R142, R161]', () => {
    for (const field of ['colour', 'x_colour']) {
      const refusal = { code: 'SCHEMA_INVALID', details: { path: '', field } };
      expect(check(agentRequest, { ...request, [field]: 1 })).toMatchObject(refusal);
      expect(check(bridgeResponse, { ...response, [field]: 1 })).toMatchObject(refusal);
      expect(check(checkpointState, { ...state, [field]: 1 })).toMatchObject(refusal);
    }
  });

  test('know the agents, outcomes and kinds of error of the dataclasses [R200]', () => {
    for (const agent_name of ['architectural-reviewer', 'agent-content-enhancer']) {
      expect(check(agentRequest, { ...request, agent_name })).toMatchObject({ allow: true });
    }
    for (const status of ['success', 'error', 'timeout', 'cancelled']) {
      expect(check(bridgeResponse, { ...response, status })).toMatchObject({ allow: true });
    }
    for (const error_type of [
      'AGENT_NOT_FOUND',
      'INVOCATION_FAILED',
      'TIMEOUT',
      'PARSE_ERROR',
      'VALIDATION_ERROR',
      'UNKNOWN',
    ]) {
      expect(check(bridgeResponse, { ...response, error_type })).toMatchObject({ allow: true });
    }
  });
});
