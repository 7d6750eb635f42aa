import { expect, test } from 'vitest';
import type { Ports } from '../ports.js';
import { replyByHand } from './reply-by-hand.js';

const ports = {
  clock: { nowMs: () => 5 },
  scrub: (text: string) => text,
  hasher: { sha256: () => 'h' },
} as unknown as Ports;
const REQUEST = { request_id: '550e8400-e29b-41d4-a716-446655440000', required: null };
const WHOLE = { ...{ request_id: REQUEST.request_id, version: '1.0', created_at: '2026-01-01T00:00:00Z' } };

test('text is an answer, and says itself how sure it is', () => {
  expect(replyByHand(ports, REQUEST, 'Go').reply).toMatchObject({ status: 'success', error: null, confidence: null });
  expect(replyByHand(ports, REQUEST, '{"confidence":0.4}').reply).toMatchObject({ confidence: 0.4 });
});

test('a whole response is taken with all it says', () => {
  const said = { ...WHOLE, status: 'error', error_type: 'TIMEOUT', error_message: 'too slow', duration_seconds: 2 };
  expect(replyByHand(ports, REQUEST, JSON.stringify(said)).reply).toMatchObject({
    ...{ status: 'error', error: { type: 'TIMEOUT', message: 'too slow' }, durationMs: 2_000, answer: null },
  });
});

test('what the phase needs is needed of people too', () => {
  const strict = { ...REQUEST, required: ['severity'] };
  expect(() => replyByHand(ports, strict, 'not json')).toThrow('not one JSON object');
  const lacking = JSON.stringify({ ...WHOLE, status: 'success', response: '{}' });
  expect(() => replyByHand(ports, strict, lacking)).toThrow('the answer lacks severity');
  expect(replyByHand(ports, strict, '{"severity":1}').reply.status).toBe('success');
});
