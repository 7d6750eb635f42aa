import { expect, test } from 'vitest';
import { isBatonError } from '../contracts/shared/errors.js';
import { BridgeCancelled } from './bridge-cancelled.js';

test('as text it says which error it is, and it is still known as one of Baton', () => {
  const cancelled = new BridgeCancelled({
    ...{ phase: 6, phase_name: 'agent_creation', agent_name: 'reviewer', request_id: 'r1' },
    ...{ error_type: 'UNKNOWN', error_message: 'not wanted' },
  });
  expect(String(cancelled)).toBe('BridgeCancelled: phase 6 agent_creation: reviewer: not wanted');
  expect(isBatonError(cancelled)).toBe(true);
});
