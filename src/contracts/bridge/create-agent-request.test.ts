import { describe, expect, test } from 'vitest';
import { createAgentRequest } from './create-agent-request.js';
import { createBridgeResponse } from './create-bridge-response.js';
import { readAgentRequest } from './read-agent-request.js';
import { requestFingerprint } from './request-fingerprint.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const AT = '2025-11-18T10:30:00Z';
const asked = {
  request_id: ID,
  created_at: AT,
  phase: 1,
  phase_name: 'codebase_analysis',
  agent_name: 'architectural-reviewer',
  prompt: 'Say what this is. '.repeat(6),
};

describe('a request', () => {
  test('is written with all ten fields, and the defaults of the document [R201, R203, R228]', () => {
    expect(Object.entries(createAgentRequest(asked))).toEqual([
      ['request_id', ID],
      ['version', '1.0'],
      ['phase', 1],
      ['phase_name', 'codebase_analysis'],
      ['agent_name', 'architectural-reviewer'],
      ['prompt', asked.prompt],
      ['context', {}],
      ['timeout_seconds', 120],
      ['created_at', AT],
      ['retry_count', 0],
    ]);
  });

  test('may be read without the four fields that have a default [R202]', () => {
    expect(readAgentRequest(asked)).toEqual(createAgentRequest(asked));
    const own = { version: '1.7', context: { a: 1 }, timeout_seconds: 30, retry_count: 2 };
    expect(readAgentRequest({ ...asked, ...own })).toMatchObject(own);
  });

  test('of another major version is refused', () => {
    expect(() => readAgentRequest({ ...asked, version: '2.0' })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_SCHEMA_VERSION', message: 'version "2.0" is not 1.x' }),
    );
  });

  test('may name any phase and any agent, and nothing else of the contract is looser', () => {
    const open = { ...asked, phase_name: 'translation', agent_name: 'my-translator' };
    expect(readAgentRequest(open)).toMatchObject({ phase_name: 'translation', agent_name: 'my-translator' });
    const refused: [field: string, value: unknown, path: string][] = [
      ['phase_name', ' ', '/phase_name'],
      ['agent_name', '', '/agent_name'],
      ['agent_name', 7, '/agent_name'],
      ['prompt', 'p'.repeat(99), '/prompt'],
      ['phase', 10, '/phase'],
      ['timeout_seconds', 29, '/timeout_seconds'],
      ['timeout_seconds', 601, '/timeout_seconds'],
      ['request_id', 'one', '/request_id'],
      ['colour', 'red', ''],
    ];
    for (const [field, value, path] of refused) {
      expect(() => readAgentRequest({ ...open, [field]: value })).toThrow(
        expect.objectContaining({ code: 'SCHEMA_INVALID', details: expect.objectContaining({ path }) }),
      );
    }
    const { agent_name: _, ...nameless } = open;
    expect(() => readAgentRequest(nameless)).toThrow(expect.objectContaining({ code: 'MISSING_REQUIRED_INPUT' }));
    expect(() => readAgentRequest(null)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
  });

  test('asks the same as another one whatever its id, time and order of keys', () => {
    const one = createAgentRequest({ ...asked, context: { a: 1, b: 2 } });
    const other = createAgentRequest({
      ...asked,
      context: { b: 2, a: 1 },
      retry_count: 1,
      created_at: '2026-01-01T00:00:00Z',
    });
    expect(requestFingerprint(other)).toBe(requestFingerprint(one));
    expect(requestFingerprint({ ...one, prompt: `${one.prompt}.` })).not.toBe(requestFingerprint(one));
  });
});

describe('a response', () => {
  test('leaves out what is absent, in its metadata too [R204, R205]', () => {
    const base = { request_id: ID, status: 'success', created_at: AT } as const;
    const written = { request_id: ID, version: '1.0', status: 'success', created_at: AT };
    expect(createBridgeResponse(base)).toEqual(written);
    const absent = { response: null, error_type: undefined, duration_seconds: null };
    expect(createBridgeResponse({ ...base, ...absent })).toEqual(written);
    expect(createBridgeResponse({ ...base, metadata: { model: null, confidence: 0 } })).toEqual({
      ...written,
      metadata: { confidence: 0 },
    });
    expect(createBridgeResponse({ ...base, response: '', duration_seconds: 0 })).toEqual({
      ...written,
      response: '',
      duration_seconds: 0,
    });
  });
});
