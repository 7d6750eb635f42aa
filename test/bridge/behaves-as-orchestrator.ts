import { spawnSync } from 'node:child_process';
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
import { Orchestrated, type Orchestrator, RESULT } from './orchestrated.js';
import { AT } from './played.js';

const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const RESUME = ['--resume'];
const PAUSED = { code: 42, signal: null };

/** What holds for every orchestrator with three asks, whatever it is written in. */
export function behavesAsOrchestrator(orchestrator: Orchestrator): void {
  test('asks three times, with files that hold their contracts, and ends with a result and nothing else', () => {
    const stage = new Orchestrated();
    let end = stage.run(orchestrator);
    for (const phase of [1, 6, 7]) {
      expect(end).toMatchObject(PAUSED);
      expect(stage.files).toEqual([REQUEST_FILE, STATE_FILE]);
      expect(checkText(agentRequest, stage.text(REQUEST_FILE))).toMatchObject({ allow: true });
      expect(checkText(checkpointState, stage.text(STATE_FILE))).toMatchObject({ allow: true });
      expect(stage.state).toMatchObject({ phase, checkpoint_name: 'before_agent_invocation' });
      stage.handle();
      end = stage.run(orchestrator, RESUME);
    }
    expect(end).toMatchObject({ code: 0 });
    expect(stage.text('result.json')).toBe(RESULT);
    expect(stage.files).toEqual([]);
  });

  test('an answer that comes too late, to a request that was given up, says nothing against the next one', () => {
    const stage = new Orchestrated();
    stage.run(orchestrator);
    const { request_id: first } = stage.request;
    const late = createBridgeResponse({ request_id: first, status: 'success', created_at: AT, response: '{}' });
    stage.write(RESPONSE_FILE, { ...late, request_id: OTHER_ID });
    stage.run(orchestrator, RESUME);
    const { request_id: second } = stage.request;
    for (let times = 0; times < 2; times += 1) {
      stage.write(RESPONSE_FILE, late);
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      expect([stage.request.request_id, stage.has(RESPONSE_FILE)]).toEqual([second, false]);
    }
    expect(second).not.toBe(first);
    expect(stage.drive(orchestrator)).toMatchObject({ code: 0 });
    expect(stage.text('result.json')).toBe(RESULT);
  });

  describe('is not taken in by', () => {
    const answer = (request_id: string) =>
      createBridgeResponse({ request_id, status: 'success', created_at: AT, response: 'wrong' });
    const cases: [what: string, make: (request_id: string) => unknown][] = [
      ['an answer to something else', () => answer(OTHER_ID)],
      ['half an answer', (id) => JSON.stringify(answer(id)).slice(0, -9)],
      ['an answer of version 2.0', (id) => ({ ...answer(id), version: '2.0' })],
      ['an answer with a strange field', (id) => ({ ...answer(id), more: 1 })],
      ['a list', () => []],
    ];
    test.each(cases)('%s', (_, make) => {
      const stage = new Orchestrated();
      stage.driveTo(6, orchestrator);
      const { request_id } = stage.request;
      stage.write(RESPONSE_FILE, make(request_id));
      const written = stage.text(RESPONSE_FILE);
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      expect(stage.text(REJECTED_FILE)).toBe(written);
      expect(stage.request).toMatchObject({ phase: 6 });
      expect(stage.request.request_id).not.toBe(request_id);
      stage.handle();
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      stage.handle();
      expect(stage.run(orchestrator, RESUME)).toMatchObject({ code: 0 });
      expect(stage.text('result.json')).toBe(RESULT);
    });

    test('the answer of an earlier phase, which it removes', () => {
      const stage = new Orchestrated();
      stage.driveTo(1, orchestrator);
      stage.handle();
      const stale = stage.text(RESPONSE_FILE);
      stage.run(orchestrator, RESUME);
      const request = stage.text(REQUEST_FILE);
      stage.write(RESPONSE_FILE, stale);
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      expect(stage.files).toEqual([REQUEST_FILE, STATE_FILE]);
      expect(stage.text(REQUEST_FILE)).toBe(request);
    });

    test('an answer that was there before it asked', () => {
      const stage = new Orchestrated();
      stage.write(RESPONSE_FILE, answer(OTHER_ID));
      expect(stage.run(orchestrator)).toMatchObject(PAUSED);
      expect(stage.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
    });
  });

  test('that begins anew has no old request lying beside its new state, wherever it is killed', () => {
    const stage = new Orchestrated();
    stage.run(orchestrator);
    const [state, { request_id }] = [stage.text(STATE_FILE), stage.request];
    for (const killAt of [1, 2, 3]) {
      expect(stage.run(orchestrator, [], killAt)).toMatchObject({ signal: 'SIGKILL' });
      const old = stage.has(REQUEST_FILE) && stage.request.request_id === request_id;
      expect(old && stage.text(STATE_FILE) !== state, `killed at ${killAt}`).toBe(false);
      stage.write(REQUEST_FILE, { request_id });
      stage.write(STATE_FILE, state);
    }
  });

  test.skipIf(process.platform === 'win32')('does not wait at a response that is a pipe', () => {
    const stage = new Orchestrated();
    stage.driveTo(1, orchestrator);
    spawnSync('mkfifo', [stage.file(RESPONSE_FILE)]);
    expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
    expect(stage.has(REJECTED_FILE)).toBe(true);
  });

  describe('whose agent fails', () => {
    test('falls back where it can', () => {
      const stage = new Orchestrated();
      stage.driveTo(7, orchestrator);
      stage.respond({ status: 'timeout', error_message: 'too late' });
      const end = stage.run(orchestrator, RESUME);
      expect(end).toMatchObject({ code: 0, said: expect.stringContaining('fallback: TIMEOUT: too late') });
      const { agent, enhanced } = JSON.parse(stage.text('result.json'));
      expect(enhanced).toBe(agent);
    });

    test('says once that it fell back, however often it is resumed', () => {
      const stage = new Orchestrated();
      stage.run(orchestrator);
      stage.respond({ status: 'timeout', error_message: 'too late' });
      expect(stage.run(orchestrator, RESUME)).toMatchObject({ said: expect.stringContaining('fallback: TIMEOUT') });
      stage.handle();
      expect(stage.run(orchestrator, RESUME)).toMatchObject({ ...PAUSED, said: '' });
    });

    test('ends with 1 where it cannot, and asks once more when it is started again', () => {
      const stage = new Orchestrated();
      stage.driveTo(6, orchestrator);
      const { request_id } = stage.request;
      stage.respond({ status: 'error', error_type: 'AGENT_NOT_FOUND', error_message: 'nobody of that name' });
      const end = stage.run(orchestrator, RESUME);
      expect(end).toMatchObject({ code: 1, said: expect.stringContaining('AGENT_NOT_FOUND: nobody of that name') });
      expect(end.said.trimEnd().split('\n'), 'one line, no trace').toHaveLength(1);
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      expect(stage.request.request_id).not.toBe(request_id);
      expect(stage.drive(orchestrator)).toMatchObject({ code: 0 });
    });

    test('ends with 1 when it was cancelled, with a fallback or without', () => {
      for (const phase of [6, 7]) {
        const stage = new Orchestrated();
        stage.driveTo(phase, orchestrator);
        stage.respond({ status: 'cancelled', error_message: 'not wanted' });
        const end = stage.run(orchestrator, RESUME);
        expect(end).toMatchObject({ code: 1, said: expect.stringContaining('not wanted') });
        expect(stage.has('result.json')).toBe(false);
      }
    });

    test('does not ask the same a third time', () => {
      const stage = new Orchestrated();
      stage.driveTo(6, orchestrator);
      stage.write(RESPONSE_FILE, '{');
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
      stage.write(RESPONSE_FILE, '{');
      expect(stage.run(orchestrator, RESUME)).toMatchObject({ code: 1, said: expect.stringMatching(/asked 2 times/) });
      expect(stage.run(orchestrator, RESUME)).toMatchObject(PAUSED);
    });
  });

  test('refuses a state that was changed under it, names it, and leaves everything where it is', () => {
    const stage = new Orchestrated();
    stage.driveTo(6, orchestrator);
    stage.handle();
    const edits = [
      { agent_requests: [] },
      { agent_requests: ['one'] },
      { phase_data: { agent_answers: {} } },
      { phase_data: { agent_answers: [1] } },
      { phase: 'six' },
      { version: '2.0' },
      { more: 1 },
    ];
    for (const edit of edits) {
      const before = stage.text(STATE_FILE);
      stage.write(STATE_FILE, { ...stage.state, ...edit });
      const end = stage.run(orchestrator, RESUME);
      expect(end).toMatchObject({ code: 1, said: expect.stringContaining(stage.file(STATE_FILE)) });
      expect(stage.files).toEqual([REQUEST_FILE, RESPONSE_FILE, STATE_FILE]);
      stage.write(STATE_FILE, before);
    }
  });

  test('killed before any change of any file comes to its result, and each request is asked once', {
    timeout: 240_000,
  }, () => {
    const whole = new Orchestrated();
    expect(whole.drive(orchestrator, 10_000)).toMatchObject({ code: 0 });
    const changes = whole.changes();
    expect(changes).toBeGreaterThan(15);
    for (let killAt = 1; killAt <= changes; killAt += 1) {
      const stage = new Orchestrated();
      expect(stage.drive(orchestrator, killAt), `killed at ${killAt}`).toMatchObject({ code: 0 });
      expect([...stage.asked.values()], `killed at ${killAt}`).toEqual([1, 1, 1]);
      expect(stage.text('result.json')).toBe(RESULT);
      expect(stage.files).toEqual([]);
    }
  });
}
