import { describe, expect, test } from 'vitest';
import { agentRequest } from '../../src/contracts/bridge/agent-request.js';
import {
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../../src/contracts/bridge/bridge-file-names.js';
import { checkpointState } from '../../src/contracts/bridge/checkpoint-state.js';
import { createBridgeResponse } from '../../src/contracts/bridge/create-bridge-response.js';
import { checkText } from '../../src/contracts/shared/contract.js';
import { Orchestrated, SHELL } from './orchestrated.js';
import { AT } from './played.js';

const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const RESUME = ['--resume'];

describe('an orchestrator that is a shell script', () => {
  test('asks with files that hold their contracts, and keeps the answer', () => {
    const stage = new Orchestrated();
    expect(stage.run(SHELL)).toEqual({ code: 42, signal: null, said: '' });
    expect(checkText(agentRequest, stage.text(REQUEST_FILE))).toMatchObject({ allow: true });
    expect(checkText(checkpointState, stage.text(STATE_FILE))).toMatchObject({ allow: true });
    stage.respond('It holds a "request_id": "no" and a "status".');
    const response = stage.text(RESPONSE_FILE);
    expect(stage.run(SHELL, RESUME)).toEqual({ code: 0, signal: null, said: '' });
    expect(stage.text('answer.json')).toBe(response);
    expect(stage.files).toEqual([]);
  });

  test('reads a response whatever its spaces', () => {
    const stage = new Orchestrated();
    stage.run(SHELL);
    stage.respond('Fine.');
    stage.write(RESPONSE_FILE, JSON.stringify(JSON.parse(stage.text(RESPONSE_FILE)), null, 2));
    expect(stage.run(SHELL, RESUME)).toMatchObject({ code: 0 });
  });

  test('puts an answer to something else aside and asks again', () => {
    const stage = new Orchestrated();
    stage.run(SHELL);
    const { request_id } = stage.request;
    stage.write(RESPONSE_FILE, createBridgeResponse({ request_id: OTHER_ID, status: 'success', created_at: AT }));
    expect(stage.run(SHELL, RESUME)).toMatchObject({ code: 42 });
    expect(stage.has(REJECTED_FILE)).toBe(true);
    expect(stage.request.request_id).not.toBe(request_id);
  });

  test('without an answer asks under the same id again', () => {
    const stage = new Orchestrated();
    stage.run(SHELL);
    const { request_id } = stage.request;
    stage.write(REQUEST_FILE, '');
    expect(stage.run(SHELL, RESUME)).toMatchObject({ code: 42 });
    expect(stage.request.request_id).toBe(request_id);
  });

  test('ends with 1 when the agent failed', () => {
    const stage = new Orchestrated();
    stage.run(SHELL);
    stage.respond({ status: 'timeout' });
    expect(stage.run(SHELL, RESUME)).toMatchObject({ code: 1, said: "the agent's answer is timeout\n" });
    expect(stage.files).toEqual([]);
  });
});
