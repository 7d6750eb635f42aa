import { expect, test } from 'vitest';
import { bridgeResponse } from '../../contracts/bridge/bridge-response.js';
import { checkAgainst } from '../../contracts/shared/contract.js';
import { replyTo } from '../../core/bridge/reply.js';
import { responseDocument } from './response-document.js';

const request_id = '550e8400-e29b-41d4-a716-446655440000';
const REF = { sha256: 'ab', bytes: 3 };
const TEXT = '\ufeff{"a": "ü"}\r\n';
const STORE = { body: async (sha256: string) => (sha256 === 'ab' ? new TextEncoder().encode(TEXT) : undefined) };

test('an answer lies in its response byte by byte, with what it took [R182]', async () => {
  const said = { durationMs: 1_500, model: 'm', tokens: 7, confidence: 0.9 };
  const document = JSON.parse(
    await responseDocument(STORE, replyTo({ request_id }, { status: 'success', atMs: 0, answer: REF, ...said })),
  );
  expect(document).toEqual({
    ...{ request_id, version: '1.0', status: 'success', created_at: '1970-01-01T00:00:00.000Z', response: TEXT },
    ...{ duration_seconds: 1.5, metadata: { model: 'm', tokens_used: 7, confidence: 0.9 } },
  });
  expect(checkAgainst(bridgeResponse, document, { request_id })).toMatchObject({ allow: true });
});

test('a failure is said in the words of the contract', async () => {
  const error = { type: 'TIMEOUT', message: 'too long' } as const;
  const document = JSON.parse(
    await responseDocument(STORE, replyTo({ request_id }, { status: 'timeout', atMs: 0, error })),
  );
  expect(document).toMatchObject({ status: 'timeout', error_type: 'TIMEOUT', error_message: 'too long' });
  expect(document).not.toHaveProperty('response');
});

test('the same reply gives the same bytes, and one whose answer is gone gives none', async () => {
  const reply = replyTo({ request_id }, { status: 'success', atMs: 5, answer: REF });
  expect(await responseDocument(STORE, reply)).toBe(await responseDocument(STORE, reply));
  const gone = { ...reply, answer: { sha256: 'cd', bytes: 1 } };
  await expect(responseDocument(STORE, gone)).rejects.toThrow('cd is not in the store');
});
