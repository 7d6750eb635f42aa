import { describe, expect, test } from 'vitest';
import request from '../../../examples/payloads/agent-request-000/document-request.json' with { type: 'json' };
import completed from '../../../examples/payloads/agent-response/completed.json' with { type: 'json' };
import type { AgentResponse } from '../generated/types/agent-response.js';
import { check, checkAgainst, checkText } from '../shared/contract.js';
import { agentResponse } from './agent-response.js';

const judged = (changes: object) => check(agentResponse, { ...completed, ...changes });

describe('an agent response', () => {
  test('is checked against the printed schema first [R036]', () => {
    expect(check(agentResponse, completed)).toMatchObject({ allow: true });
    expect(check(agentResponse, { action: 'COMPLETED' })).toMatchObject({ code: 'MISSING_REQUIRED_INPUT' });
    expect(judged({ evidence_files: 'a.ts' })).toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  test('names exactly one of three actions [R037, R102]', () => {
    for (const action of ['COMPLETED', 'STUCK', 'RETRY']) expect(judged({ action })).toMatchObject({ allow: true });
    for (const action of ['DONE', 'completed', ' STUCK', '', ['COMPLETED', 'RETRY'], null]) {
      expect(judged({ action })).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/action' } });
    }
  });

  test('has a summary of 1 to 500 characters that says something [R039]', () => {
    const summary = (summary_for_supervisor: string) => judged({ summary_for_supervisor });
    expect(summary('a'.repeat(500))).toMatchObject({ allow: true });
    expect(summary('😀'.repeat(500))).toMatchObject({ allow: true });
    for (const text of ['a'.repeat(501), '', ' \n\t']) expect(summary(text)).toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  test('may carry fields that its schema does not name [R008]', () => {
    expect(judged({ mood: 'good', x_usage: { input_tokens: 1 } })).toMatchObject({ allow: true });
  });

  test.each(['../secret', '/etc/passwd', '~/x', 'a/../../x', 'C:/x', '.git/config'])(
    'names evidence relative to the workspace, never %s [R009, R099]',
    (path) => {
      expect(judged({ evidence_files: ['src/a.ts', path] })).toMatchObject({
        code: 'PATH_REFUSED',
        details: { path: '/evidence_files/1' },
      });
    },
  );
});

describe('the text of an agent response', () => {
  const text = JSON.stringify(completed);

  test('is a single JSON object [R097]', () => {
    expect(checkText(agentResponse, text)).toMatchObject({ allow: true });
    for (const other of [`[${text}]`, `${text}${text}`, `${text}\n${text}`, JSON.stringify(text), '[]', 'null']) {
      expect(checkText(agentResponse, other)).toMatchObject({ code: 'SCHEMA_INVALID' });
    }
  });

  test('has nothing before or after the object but blanks [R098]', () => {
    expect(checkText(agentResponse, ` \n${text}\r\n`)).toMatchObject({ allow: true });
    for (const other of [`Here it is: ${text}`, `${text} Done!`, `\`\`\`json\n${text}\n\`\`\``, `\ufeff${text}`]) {
      expect(checkText(agentResponse, other)).toMatchObject({ code: 'SCHEMA_INVALID' });
    }
  });
});

test('an answer may only be an action that its request accepts', () => {
  const onlyRetry = { ...request, metadata: { ...request.metadata, accepted_formats: ['RETRY'] } };
  const response = completed as AgentResponse;
  expect(checkAgainst(agentResponse, response, request)).toMatchObject({ allow: true });
  expect(checkAgainst(agentResponse, response, onlyRetry)).toMatchObject({
    code: 'NON_COMPLIANT',
    details: { path: '/action', expected: ['RETRY'] },
  });
});
