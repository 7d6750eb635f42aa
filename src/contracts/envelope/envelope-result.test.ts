import { expect, test } from 'vitest';
import completed from '../../../examples/payloads/envelope/completed-response.json' with { type: 'json' };
import minimal from '../../../examples/payloads/envelope/minimal-v1.0.json' with { type: 'json' };
import waiting from '../../../examples/payloads/envelope/waiting-for-clarification.json' with { type: 'json' };
import { envelopeResult } from './envelope-result.js';
import { readEnvelope } from './read-envelope.js';

const NOTHING = {
  response: null,
  clarification_needed: false,
  clarification_question: null,
  confirmation_needed: false,
  confirmation_id: null,
  confirmation_message: null,
  terminated: false,
  terminal_reason: null,
  termination_reason: null,
  citations: [],
  errors: [],
};

test('an envelope before its first stage has no result yet', () => {
  expect(envelopeResult(readEnvelope(minimal))).toEqual(NOTHING);
});

test('one that is done has an answer with its places', () => {
  const { integration } = readEnvelope(completed).outputs;
  expect(integration?.citations).not.toEqual([]);
  expect(envelopeResult(readEnvelope(completed))).toMatchObject({
    response: integration?.final_response,
    citations: integration?.citations,
    terminated: true,
    terminal_reason: 'completed_successfully',
  });
});

test('one that waits says what for', () => {
  const { clarification_question } = waiting;
  expect(envelopeResult(readEnvelope(waiting))).toMatchObject({ clarification_needed: true, clarification_question });
  const asked = { confirmation_pending: true, confirmation_id: 'conf_1', confirmation_message: 'Delete it?' };
  expect(envelopeResult(readEnvelope({ ...minimal, ...asked }))).toEqual({
    ...NOTHING,
    confirmation_needed: true,
    confirmation_id: 'conf_1',
    confirmation_message: 'Delete it?',
  });
});

test('what another pipeline wrote under the same keys is no answer', () => {
  const outputs = { integration: { final_response: { text: 'hi' }, citations: 'none' } };
  expect(envelopeResult(readEnvelope({ ...minimal, outputs }))).toEqual(NOTHING);
});
