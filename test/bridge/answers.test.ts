import { describe, expect, test, vi } from 'vitest';
import type { Bridge } from '../../src/bridge/bridge.js';
import { BridgeCancelled } from '../../src/bridge/bridge-cancelled.js';
import { type AskFailure, BridgeFailed } from '../../src/bridge/bridge-failed.js';
import { REQUEST_FILE, RESPONSE_FILE, STATE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { MockAgentInvoker } from '../../src/testing/mock-agent-invoker.js';
import { ANALYSIS, asksOnce, Played, PROMPT } from './played.js';

const PAUSED = { code: 42 };
const ERROR_TYPES = [
  'AGENT_NOT_FOUND',
  'INVOCATION_FAILED',
  'TIMEOUT',
  'PARSE_ERROR',
  'VALIDATION_ERROR',
  'UNKNOWN',
] as const;

async function askedAndAnswered(response: Parameters<Played['respond']>[0]): Promise<Played> {
  const played = new Played();
  await played.start(asksOnce());
  played.respond(response);
  return played;
}

describe('an answer that is an error', () => {
  test.each(ERROR_TYPES)(
    '%s is taken over by the fallback, which is told why and logged [R190, R193–R195]',
    async (error_type) => {
      const played = await askedAndAnswered({ status: 'error', error_type, error_message: 'it broke' });
      const fallback = vi.fn((_: AskFailure) => 'by rule of thumb');
      expect(await played.resume(asksOnce({ fallback }))).toMatchObject({
        value: {
          status: 'error',
          error_type,
          error_message: 'it broke',
          value: 'by rule of thumb',
          source: 'fallback',
          warning: `fallback: ${error_type}: it broke`,
        },
      });
      expect(fallback).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error_type, phase: 1 }));
      expect(played.lines).toEqual([`phase 1 codebase_analysis: fallback: ${error_type}: it broke`]);
    },
  );

  test.each(ERROR_TYPES)('%s without a fallback ends the program with what to do about it', async (error_type) => {
    const played = await askedAndAnswered({ status: 'error', error_type, error_message: 'it broke' });
    const end = await played.resume(asksOnce());
    expect(end).toMatchObject({
      thrown: {
        code: 'BRIDGE_FAILED',
        error_type,
        message: `phase 1 codebase_analysis: architectural-reviewer: ${error_type}: it broke`,
      },
    });
    const { thrown } = end as { thrown: BridgeFailed };
    expect(thrown).toBeInstanceOf(BridgeFailed);
    if (error_type === 'AGENT_NOT_FOUND') expect(thrown.hint).toMatch(/spelling/);
    if (error_type === 'INVOCATION_FAILED') expect(thrown.hint).toMatch(/larger timeout/);
  });

  test('is asked once more when somebody starts the program again, as often as they like', async () => {
    const played = await askedAndAnswered({ status: 'error', error_type: 'AGENT_NOT_FOUND' });
    for (let starts = 0; starts < 4; starts += 1) {
      expect(await played.resume(asksOnce())).toMatchObject({ thrown: { error_type: 'AGENT_NOT_FOUND' } });
      expect(await played.resume(asksOnce())).toEqual(PAUSED);
      played.respond({ status: 'error', error_type: 'AGENT_NOT_FOUND' });
    }
    played.respond('Done.');
    expect(await played.resume(asksOnce())).toMatchObject({ value: { value: 'Done.' } });
  });

  test('stays an error for a program that caught it and asked somebody else', async () => {
    const program = async (bridge: Bridge) => {
      try {
        return (await bridge.ask(ANALYSIS)).value;
      } catch {
        return (await bridge.ask({ ...ANALYSIS, agent_name: 'second-reviewer' })).value;
      }
    };
    const played = await askedAndAnswered({ status: 'timeout' });
    expect(await played.resume(program)).toEqual(PAUSED);
    expect(played.request).toMatchObject({ agent_name: 'second-reviewer' });
    played.respond('Done.');
    expect(await played.resume(program)).toEqual({ value: 'Done.' });
    expect(await played.resume(program)).toEqual({ value: 'Done.' });
  });

  test('that was caught stays one, wherever the program dies later', async () => {
    const asks = (dies: boolean) => async (bridge: Bridge) => {
      const caught = await bridge.ask(ANALYSIS).catch(() => 'caught');
      if (dies) throw new Error('killed');
      return [caught, (await bridge.ask({ ...ANALYSIS, agent_name: 'second-reviewer' })).value];
    };
    const played = await askedAndAnswered({ status: 'timeout' });
    expect(await played.resume(asks(false))).toEqual(PAUSED);
    expect(await played.resume(asks(true))).toMatchObject({ thrown: { message: 'killed' } });
    played.respond({ status: 'timeout' });
    expect(await played.resume(asks(false))).toMatchObject({ thrown: { code: 'BRIDGE_FAILED' } });
    expect(await played.resume(asks(true))).toMatchObject({ thrown: { message: 'killed' } });
    expect(await played.resume(asks(false))).toEqual(PAUSED);
    expect(played.request).toMatchObject({ agent_name: 'second-reviewer' });
    played.respond('Done.');
    expect(await played.resume(asks(false))).toEqual({ value: ['caught', 'Done.'] });
  });

  test('of status timeout without a type is a TIMEOUT', async () => {
    const played = await askedAndAnswered({ status: 'timeout' });
    expect(await played.resume(asksOnce({ fallback: ({ error_type }) => error_type }))).toMatchObject({
      value: { value: 'TIMEOUT', status: 'timeout' },
    });
  });
});

describe('an answer that was cancelled', () => {
  test('rejects, with or without a fallback [R196]', async () => {
    const fallback = vi.fn(() => 'never');
    for (const more of [{}, { fallback }]) {
      const played = await askedAndAnswered({ status: 'cancelled', error_message: 'no longer wanted' });
      const end = await played.resume(asksOnce(more));
      expect(end).toMatchObject({
        thrown: { code: 'BRIDGE_CANCELLED', message: expect.stringMatching(/no longer wanted$/) },
      });
      expect((end as { thrown: unknown }).thrown).toBeInstanceOf(BridgeCancelled);
      expect(await played.resume(asksOnce(more))).toEqual(PAUSED);
    }
    expect(fallback).not.toHaveBeenCalled();
  });
});

describe('an answer that cannot be used', () => {
  const asNumber = (text: string) => {
    const { n } = JSON.parse(text);
    if (typeof n !== 'number') throw new Error('n is no number');
    return n as number;
  };

  test.each([
    ['no JSON', 'PARSE_ERROR'],
    ['{"n": "1"}', 'VALIDATION_ERROR'],
  ])('%s is a %s', async (response, error_type) => {
    const played = await askedAndAnswered(response);
    expect(await played.resume(asksOnce({ read: asNumber, fallback: () => 0 }))).toMatchObject({
      value: { status: 'success', value: 0, source: 'fallback', error_type },
    });
    expect(await played.resume(asksOnce({ read: asNumber }))).toMatchObject({ thrown: { error_type } });
  });

  test.each([
    [0.85, 'agent', null],
    [0.84, 'agent', 'confidence 0.84 is below 0.85'],
    [0.69, 'fallback', 'fallback: VALIDATION_ERROR: confidence 0.69 is below 0.7'],
    [undefined, 'agent', 'the answer does not say how sure it is'],
  ])('because of its confidence: %s', async (confidence, source, warning) => {
    const played = await askedAndAnswered({ response: 'x', ...(confidence && { metadata: { confidence } }) });
    expect(await played.resume(asksOnce({ fallback: () => 'y' }))).toMatchObject({
      value: { source, warning, value: source === 'agent' ? 'x' : 'y', confidence: confidence ?? null },
    });
  });

  test('because of its confidence is judged by the gate of its phase, or its own', async () => {
    const enhancement = { phase: 7, phase_name: 'agent_enhancement', agent_name: 'agent-content-enhancer' };
    const played = new Played();
    await played.start(asksOnce(enhancement));
    played.respond({ response: 'x', metadata: { confidence: 0.6 } });
    expect(await played.resume(asksOnce(enhancement))).toMatchObject({ value: { source: 'agent' } });
    expect(await played.resume(asksOnce({ ...enhancement, gate: { go: 0.9, warn: 0.61 } }))).toMatchObject({
      thrown: { error_type: 'VALIDATION_ERROR' },
    });
  });
});

describe('the third identical request', () => {
  const stray = '{"request_id": "00000000-0000-4000-8000-000000000000"}';

  async function askedTwiceInVain(program: (bridge: Bridge) => Promise<unknown>): Promise<Played> {
    const played = new Played();
    expect(await played.start(program)).toEqual(PAUSED);
    played.write(RESPONSE_FILE, stray);
    expect(await played.resume(program)).toEqual(PAUSED);
    played.write(RESPONSE_FILE, stray);
    return played;
  }

  test('is not made: the fallback takes over, and the asks after it keep their order', async () => {
    const program = async (bridge: Bridge) => {
      const first = await bridge.ask({ ...ANALYSIS, fallback: () => 'by rule of thumb' });
      const second = await bridge.ask({ ...ANALYSIS, prompt: `${PROMPT} Again.` });
      return [first.value, second.value];
    };
    const played = await askedTwiceInVain(program);
    expect(await played.resume(program)).toEqual(PAUSED);
    expect(played.request.prompt).toBe(`${PROMPT} Again.`);
    played.respond('Done.');
    for (let starts = 0; starts < 2; starts += 1) {
      expect(await played.resume(program)).toEqual({ value: ['by rule of thumb', 'Done.'] });
    }
  });

  test('is not made: without a fallback the program ends, and a new start may ask again', async () => {
    const played = await askedTwiceInVain(asksOnce());
    expect(await played.resume(asksOnce())).toMatchObject({
      thrown: { error_type: 'UNKNOWN', message: expect.stringMatching(/asked 2 times without a usable answer/) },
    });
    for (let asked = 1; asked <= 2; asked += 1) {
      expect(await played.resume(asksOnce())).toEqual(PAUSED);
      played.write(RESPONSE_FILE, stray);
    }
    expect(await played.resume(asksOnce())).toMatchObject({ thrown: { error_type: 'UNKNOWN' } });
  });

  test('is not made when the first of them was made by another program, which keeps no fingerprints', async () => {
    const played = new Played();
    await played.start(asksOnce());
    const { agent_requests = [], ...state } = played.state;
    played.write(STATE_FILE, { ...state, agent_requests: agent_requests.map(({ fingerprint: _, ...rest }) => rest) });
    played.write(RESPONSE_FILE, stray);
    expect(await played.resume(asksOnce())).toEqual(PAUSED);
    played.write(RESPONSE_FILE, stray);
    expect(await played.resume(asksOnce())).toMatchObject({ thrown: { error_type: 'UNKNOWN' } });
  });

  test('is not made either by a program that asks until it likes the answer', async () => {
    const program = async (bridge: Bridge) => {
      for (let tries = 1; ; tries += 1) {
        const { source, error_message } = await bridge.ask({ ...ANALYSIS, read: JSON.parse, fallback: () => null });
        if (source === 'agent' || tries === 3) return error_message;
      }
    };
    const played = new Played();
    await played.start(program);
    played.respond('no JSON');
    expect(await played.resume(program)).toEqual(PAUSED);
    played.respond('no JSON');
    expect(await played.resume(program)).toEqual({ value: expect.stringMatching(/not asked again/) });
  });
});

describe('an invoker', () => {
  const USAGE = { technology_stack: { primary_language: 'C#', confidence: 0.95 }, overall_confidence: 0.92 };

  test('is asked at once, without files: the usage example of the document [R220, R221]', async () => {
    const mock = new MockAgentInvoker();
    mock.addResponseFromDict('architectural-reviewer', USAGE);
    const played = new Played();
    const read = (text: string) => ({ primary_language: JSON.parse(text).technology_stack.primary_language as string });
    const end = await played.start(asksOnce({ read, context: { template_name: 't' } }), { invoker: mock });
    expect(end).toMatchObject({ value: { value: { primary_language: 'C#' }, confidence: 0.92, warning: null } });
    expect(mock.getInvocations('architectural-reviewer')).toEqual([
      {
        agent_name: 'architectural-reviewer',
        prompt: PROMPT,
        timeout_seconds: 120,
        kwargs: { phase: 1, phase_name: 'codebase_analysis', context: { template_name: 't' } },
      },
    ]);
    expect(played.files).toEqual([]);
  });

  test('that fails is an INVOCATION_FAILED, without files too', async () => {
    const played = new Played();
    expect(await played.start(asksOnce(), { invoker: new MockAgentInvoker() })).toMatchObject({
      thrown: { error_type: 'INVOCATION_FAILED', message: expect.stringMatching(/No mock response configured/) },
    });
    const invoker = { invoke: () => Promise.reject(new Error('gone')) };
    expect(await played.start(asksOnce({ fallback: () => 'x' }), { invoker })).toMatchObject({ value: { value: 'x' } });
    expect(played.files).toEqual([]);
  });

  test('is not asked again for what a checkpoint keeps', async () => {
    const mock = new MockAgentInvoker({ 'architectural-reviewer': 'Done.' });
    const played = new Played();
    const program = async (bridge: Bridge) => {
      const { value } = await bridge.ask(ANALYSIS);
      bridge.completed({ phase: 1, phase_name: 'codebase_analysis', result_summary: 'It is a shop.' });
      return value;
    };
    expect(await played.start(program, { invoker: mock })).toEqual({ value: 'Done.' });
    expect(await played.resume(program, { invoker: mock })).toEqual({ value: 'Done.' });
    expect(mock.getInvocations()).toHaveLength(1);
    expect(played.files).toEqual([STATE_FILE]);
    expect(played.has(REQUEST_FILE)).toBe(false);
  });
});
