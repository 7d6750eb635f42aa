import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../src/bridge/bridge.js';
import {
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../../src/contracts/bridge/bridge-file-names.js';
import { createBridgeResponse } from '../../src/contracts/bridge/create-bridge-response.js';
import { ANALYSIS, AT, asksOnce, Played, PROMPT } from './played.js';

const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const PAUSED = { code: 42 };

describe('the first time an orchestrator asks', () => {
  test('it leaves a state and a request in its folder and ends with 42 [R181, R184, R199, R222, R224]', async () => {
    const played = new Played();
    expect(await played.start(asksOnce({ context: { template_name: 'shop' }, timeout_seconds: 45 }))).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE]);
    const { request, state } = played;
    expect(request).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: '1.0',
      ...ANALYSIS,
      context: { template_name: 'shop' },
      timeout_seconds: 45,
      created_at: expect.stringMatching(/Z$/),
      retry_count: 0,
    });
    expect(state).toEqual({
      version: '1.0',
      phase: 1,
      phase_name: 'codebase_analysis',
      checkpoint_name: 'before_agent_invocation',
      created_at: expect.stringMatching(/Z$/),
      output_path: played.dir,
      phase_data: {},
      completed_phases: [],
      agent_requests: [
        {
          request_id: request.request_id,
          agent_name: 'architectural-reviewer',
          phase: 1,
          status: 'pending',
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    });
  });

  test('a response that lies there already is put aside unread', async () => {
    const played = new Played();
    played.write(RESPONSE_FILE, 'anything');
    expect(await played.start(asksOnce())).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
    expect(played.text(REJECTED_FILE)).toBe('anything');
  });

  test('nothing of an earlier program is taken over by one that begins anew', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { request_id } = played.request;
    played.respond('too old');
    expect(await played.start(asksOnce())).toEqual(PAUSED);
    expect(played.request.request_id).not.toBe(request_id);
    expect(played.state.agent_requests).toHaveLength(1);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
  });

  test('what a killed program left half written is replaced, and a link there is not followed', async () => {
    const played = new Played();
    played.write('elsewhere', 'mine');
    symlinkSync(played.file('elsewhere'), played.file(`${STATE_FILE}.tmp`));
    played.write(`${REQUEST_FILE}.tmp`, '{"request_');
    expect(await played.start(asksOnce())).toEqual(PAUSED);
    expect(played.state.phase).toBe(1);
    expect(played.request).toMatchObject(ANALYSIS);
    expect(played.text('elsewhere')).toBe('mine');
  });

  test.each([
    [{ prompt: PROMPT.slice(0, 99) }, '/prompt'],
    [{ timeout_seconds: 29 }, '/timeout_seconds'],
    [{ timeout_seconds: 601 }, '/timeout_seconds'],
    [{ phase: 10 }, '/phase'],
    [{ agent_name: ' ' }, '/agent_name'],
  ])('%j is refused before anything is written', async (more, path) => {
    const played = new Played();
    expect(await played.start(asksOnce(more))).toMatchObject({ thrown: { code: 'SCHEMA_INVALID', details: { path } } });
    expect(played.files).toEqual([]);
  });
});

describe('an orchestrator that is resumed', () => {
  test('gets the answer to its request, and keeps it in the state [R210, R223]', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { request_id } = played.request;
    played.respond({ response: '{"a":1}', duration_seconds: 2, metadata: { model: 'm', confidence: 0.92 } });
    expect(await played.resume(asksOnce({ read: (text) => JSON.parse(text).a as number }))).toMatchObject({
      value: {
        request_id,
        status: 'success',
        response: '{"a":1}',
        value: 1,
        source: 'agent',
        confidence: 0.92,
        warning: null,
        error_type: null,
        metadata: { model: 'm', confidence: 0.92 },
      },
    });
    expect(played.files).toEqual([STATE_FILE]);
    const { agent_requests, phase_data } = played.state;
    expect(agent_requests).toMatchObject([{ request_id, status: 'completed' }]);
    expect(phase_data).toMatchObject({ agent_answers: [{ phase: 1, response: { request_id, response: '{"a":1}' } }] });
  });

  test('is not asked again for what is in the state, however often it starts', async () => {
    const played = new Played();
    await played.start(asksOnce());
    played.respond('Done.');
    for (let starts = 0; starts < 3; starts += 1) {
      expect(await played.resume(asksOnce())).toMatchObject({ value: { value: 'Done.' } });
    }
    await played.start(asksOnce());
    played.respond('Done.');
    const kept = async (bridge: Bridge) => {
      await bridge.ask(ANALYSIS);
      return [bridge.data.agent_answers, bridge.state?.phase_data];
    };
    expect(await played.resume(kept)).toEqual({
      value: [[expect.objectContaining({ phase: 1, agent_name: ANALYSIS.agent_name })], {}],
    });
  });

  test('makes one request after the other, and knows its asks by their order per phase and agent', async () => {
    const played = new Played();
    const program = async (bridge: Bridge) => {
      const said: string[] = [];
      for (const word of ['one', 'two', 'three']) {
        said.push((await bridge.ask({ ...ANALYSIS, prompt: `${PROMPT} ${word}` })).value);
        said.push((await bridge.ask({ ...ANALYSIS, phase: 6, phase_name: 'agent_creation' })).value);
      }
      return said;
    };
    expect(await played.start(program)).toEqual(PAUSED);
    const ids = new Set<string>();
    for (let asked = 1; asked < 6; asked += 1) {
      ids.add(played.request.request_id);
      played.respond(`${asked}`);
      expect(await played.resume(program)).toEqual(PAUSED);
    }
    played.respond('6');
    expect(await played.resume(program)).toEqual({ value: ['1', '2', '3', '4', '5', '6'] });
    expect(ids.size).toBe(5);
  });

  test('that died between state and request asks under the id of the state', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { request_id } = played.request;
    played.write(REQUEST_FILE, '');
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    expect(played.request.request_id).toBe(request_id);
  });

  test('without an answer leaves its request as it is, to the byte', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const before = played.text(REQUEST_FILE);
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    expect(played.text(REQUEST_FILE)).toBe(before);
  });

  test('without a state begins anew', async () => {
    const played = new Played();
    expect(await played.resume(async ({ resumed, state }) => [resumed, state])).toEqual({ value: [false, null] });
    played.write(RESPONSE_FILE, createBridgeResponse({ request_id: OTHER_ID, status: 'success', created_at: AT }));
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
  });

  test('takes the id from the request when the state does not say it', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { agent_requests: _, ...silent } = played.state;
    played.write(STATE_FILE, silent);
    played.respond('Done.');
    expect(await played.resume(asksOnce())).toMatchObject({ value: { value: 'Done.' } });
  });

  test('does not take it from the request of another phase', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { agent_requests: _, ...silent } = played.state;
    played.write(STATE_FILE, silent);
    played.respond('Done.');
    expect(await played.resume(asksOnce({ phase: 6, phase_name: 'agent_creation' }))).toEqual(PAUSED);
    expect(played.request).toMatchObject({ phase: 6 });
    expect(played.has(REJECTED_FILE)).toBe(true);
  });

  test('hears when the prompt is no longer the one that was answered', async () => {
    const played = new Played();
    await played.start(asksOnce());
    played.respond({ response: 'Done.', metadata: { confidence: 1 } });
    expect(await played.resume(asksOnce({ prompt: `${PROMPT} Now.` }))).toMatchObject({
      value: { value: 'Done.', warning: 'the prompt has changed since this was answered' },
    });
  });
});

describe('a response that is no answer', () => {
  const good = (request_id: string) =>
    createBridgeResponse({ request_id, status: 'success', created_at: AT, response: 'x' });
  const cases: [what: string, make: (request_id: string) => unknown][] = [
    ['carries another id', () => good(OTHER_ID)],
    ['is half written', (id) => JSON.stringify(good(id)).slice(0, 80)],
    ['is empty', () => ''],
    ['lacks its status', (id) => ({ ...good(id), status: undefined })],
    ['has a field too many', (id) => ({ ...good(id), x_more: 1 })],
    ['is of version 2.0', (id) => ({ ...good(id), version: '2.0' })],
  ];

  test.each(cases)('because it %s is put aside, and a new request is made [R183]', async (_, make) => {
    const played = new Played();
    await played.start(asksOnce());
    const { request_id } = played.request;
    played.write(RESPONSE_FILE, make(request_id));
    const written = played.text(RESPONSE_FILE);
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    expect(played.text(REJECTED_FILE)).toBe(written);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
    expect(played.request.request_id).not.toBe(request_id);
    expect(played.state.agent_requests).toMatchObject([
      { request_id, status: 'rejected' },
      { request_id: played.request.request_id, status: 'pending' },
    ]);
    played.respond('Done.');
    expect(await played.resume(asksOnce())).toMatchObject({ value: { value: 'Done.' } });
  });

  test('because it is a folder is put aside too', async () => {
    const played = new Played();
    await played.start(asksOnce());
    mkdirSync(played.file(RESPONSE_FILE));
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE, REJECTED_FILE]);
  });

  test('because it answers an earlier request is removed', async () => {
    const played = new Played();
    const program = async (bridge: Bridge) => {
      await bridge.ask(ANALYSIS);
      return (await bridge.ask({ ...ANALYSIS, prompt: `${PROMPT} Again.` })).value;
    };
    await played.start(program);
    played.respond('first');
    const stale = played.text(RESPONSE_FILE);
    expect(await played.resume(program)).toEqual(PAUSED);
    const { request_id } = played.request;
    played.write(RESPONSE_FILE, stale);
    expect(await played.resume(program)).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE]);
    expect(played.request.request_id).toBe(request_id);
    played.respond('second');
    expect(await played.resume(program)).toEqual({ value: 'second' });
  });

  test('because the program died before removing it is removed with its request', async () => {
    const played = new Played();
    const program = async (bridge: Bridge) => {
      await bridge.ask(ANALYSIS);
      return (await bridge.ask({ ...ANALYSIS, prompt: `${PROMPT} Again.` })).value;
    };
    await played.start(program);
    played.respond('first');
    const [request, response] = [played.text(REQUEST_FILE), played.text(RESPONSE_FILE)];
    await played.resume(asksOnce());
    played.write(REQUEST_FILE, request);
    played.write(RESPONSE_FILE, response);
    expect(await played.resume(program)).toEqual(PAUSED);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE]);
    expect(played.request.prompt).toBe(`${PROMPT} Again.`);
  });
});
