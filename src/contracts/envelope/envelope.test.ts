import { describe, expect, test } from 'vitest';
import minimal from '../../../examples/payloads/envelope/minimal-v1.0.json' with { type: 'json' };
import type { Envelope } from '../generated/types/envelope.js';
import { check, checkAgainst } from '../shared/contract.js';
import { envelope } from './envelope.js';

const recorded = {
  ...minimal,
  iteration: 1,
  llm_call_count: 4,
  agent_hop_count: 3,
  current_stage_number: 2,
} as Envelope;

describe('an envelope that comes back', () => {
  test('may count on, but never back', () => {
    expect(checkAgainst(envelope, { ...recorded, llm_call_count: 5 }, recorded)).toMatchObject({ allow: true });
    for (const counter of ['iteration', 'llm_call_count', 'agent_hop_count', 'current_stage_number'] as const) {
      expect(checkAgainst(envelope, { ...recorded, [counter]: 0 }, recorded)).toMatchObject({
        code: 'ENVELOPE_STALE',
        details: { path: `/${counter}` },
      });
    }
  });

  test('may not drop a counter', () => {
    const { llm_call_count, ...rest } = recorded;
    expect(checkAgainst(envelope, rest as Envelope, recorded)).toMatchObject({ code: 'ENVELOPE_STALE' });
  });

  test('is compared only with itself', () => {
    const other = { ...recorded, envelope_id: 'env_ffffffffffffffff' };
    expect(checkAgainst(envelope, other, recorded)).toMatchObject({ code: 'NON_COMPLIANT' });
  });
});

test('the processing history is known in strict mode although the printed schema does not name it', () => {
  const payload = { ...minimal, processing_history: [] };
  expect(check(envelope, payload, { strict: true })).toMatchObject({ allow: true });
  expect(check(envelope, { ...payload, colour: 1 }, { strict: true })).toMatchObject({ code: 'SCHEMA_INVALID' });
});
