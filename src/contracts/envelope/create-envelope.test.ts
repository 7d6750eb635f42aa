import { describe, expect, test } from 'vitest';
import full from '../../../examples/payloads/envelope-order/in-a-session.json' with { type: 'json' };
import { check } from '../shared/contract.js';
import { createEnvelope } from './create-envelope.js';
import { envelope } from './envelope.js';

const NOW = '2026-03-01T12:00:00.000Z';
const counted = () => {
  let made = 0;
  return {
    hex16: () => {
      made += 1;
      return String(made).padStart(16, '0');
    },
  };
};
const create = (input: unknown) => createEnvelope(input, counted(), NOW);

describe('a new envelope', () => {
  test('stands before its first stage, with ids and a time of its own', () => {
    const made = create({ raw_input: 'Explain it' });
    expect(check(envelope, made, { strict: true })).toMatchObject({ allow: true });
    expect(made).toMatchObject({
      envelope_id: 'env_0000000000000001',
      request_id: 'req_0000000000000002',
      session_id: 'sess_0000000000000003',
      user_id: 'anonymous',
      raw_input: 'Explain it',
      received_at: NOW,
      outputs: {},
      current_stage: 'start',
      terminated: false,
      terminal_reason: null,
      max_llm_calls: 10,
      errors: [],
    });
    expect(made).not.toHaveProperty('stage_order');
  });

  test('takes what the order says', () => {
    expect(create(full)).toMatchObject(full);
  });

  test('is not made from anything else', () => {
    const refusal = (code: string, path: string) =>
      expect.objectContaining({ code, details: expect.objectContaining({ contract: 'envelope-order', path }) });
    expect(() => create({})).toThrow(refusal('MISSING_REQUIRED_INPUT', '/raw_input'));
    expect(() => create({ raw_input: 'a', request_id: 'req_1' })).toThrow(refusal('SCHEMA_INVALID', '/request_id'));
    expect(() => create({ raw_input: 'a', terminated: true })).toThrow(refusal('SCHEMA_INVALID', ''));
    expect(() => create(['a'])).toThrow(refusal('SCHEMA_INVALID', ''));
  });
});
