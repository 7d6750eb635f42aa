import { expect, test } from 'vitest';
import { isBatonError } from '../contracts/shared/errors.js';
import { type AskFailure, BridgeFailed } from './bridge-failed.js';

const FAILURE: AskFailure = {
  ...{ phase: 6, phase_name: 'agent_creation', agent_name: 'reviewer', request_id: 'r1' },
  ...{ error_type: 'AGENT_NOT_FOUND', error_message: 'nobody of that name' },
};

test('as text it says which error it is, and it is still known as one of Baton', () => {
  const failed = new BridgeFailed(FAILURE);
  expect(String(failed)).toBe('BridgeFailed: phase 6 agent_creation: reviewer: AGENT_NOT_FOUND: nobody of that name');
  expect(isBatonError(failed)).toBe(true);
});
