import { describe, expect, test } from 'vitest';
import { envelopeOf, GOOD, Played, pipelineOf, stageOf } from '../../../test/envelopes/stage-kit.js';

const ALL = ['perception', 'intent', 'plan', 'execution', 'critic', 'integration'];

describe('counting', () => {
  test('[R354] every stage that ran is one hop, whoever answered it and whether it went well', () => {
    const played = new Played().well('perception', 'intent', 'plan');
    played.end(played.output('execution', GOOD.execution ?? {}, { llmCalls: 0 }));
    played.end(played.error('critic'));
    expect(played.envelope).toMatchObject({ agent_hop_count: 5, llm_call_count: 3 });
  });

  test('[R355] every answer is one call, a second one to the same stage included', () => {
    const played = new Played().well('perception');
    played.end(played.output('intent', GOOD.intent ?? {}, { llmCalls: 2 }));
    expect(played.envelope).toMatchObject({ agent_hop_count: 2, llm_call_count: 3 });
  });

  test('goes on from what the sender has counted', () => {
    const { envelope } = new Played(undefined, envelopeOf({ agent_hop_count: 7, llm_call_count: 3 })).well(
      'perception',
    );
    expect(envelope).toMatchObject({ agent_hop_count: 8, llm_call_count: 4 });
  });

  test('stages that go back together cost one iteration', () => {
    const again = [{ field: 'again', equals: true, to: 'both' }];
    const pipeline = pipelineOf([
      stageOf('both', { default_next: 'one' }),
      stageOf('one', { rules: again, after: ['both'] }),
      stageOf('other', { rules: again, after: ['both'] }),
    ]);
    const played = new Played(pipeline).say({ both: {} }).say({ one: { again: true }, other: { again: true } });
    expect(played.envelope.iteration).toBe(1);
    expect(played.due).toEqual(['both']);
  });
});

describe('every stage', () => {
  test('[R294] writes under its own key and leaves the others alone', () => {
    const played = new Played().well(...ALL);
    expect(played.envelope.outputs).toEqual(GOOD);
  });

  test('[R293] leaves the envelope at what is due next', () => {
    const played = new Played();
    expect(played.envelope).toMatchObject({ current_stage: 'perception', stage_order: ALL });
    const at = ALL.map((stage) => played.well(stage).envelope.current_stage);
    expect(at).toEqual([...ALL.slice(1), 'end']);
    expect(played.versions[2]).toMatchObject({ current_stage: 'plan', terminated: false, outputs: { intent: {} } });
  });

  test('leaves one record of how it went', () => {
    const played = new Played().well('perception');
    played.end(played.error('intent', { message: 'no' }));
    expect(played.envelope.processing_history).toEqual([
      {
        ...{ agent: 'perception', stage_order: 1, status: 'success', error: null, llm_calls: 1, duration_ms: 1_000 },
        ...{ started_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:01.000Z' },
      },
      {
        ...{ agent: 'intent', stage_order: 2, status: 'error', error: 'no', llm_calls: 0, duration_ms: 1_000 },
        ...{ started_at: '2026-01-01T00:00:01.000Z', completed_at: '2026-01-01T00:00:02.000Z' },
      },
    ]);
    expect(played.envelope.errors).toEqual([
      {
        ...{ agent: 'intent', error_type: 'AgentError', message: 'no', recoverable: false, details: {} },
        timestamp: '2026-01-01T00:00:02.000Z',
      },
    ]);
  });

  test('leaves alone what it does not change', () => {
    const odd = { metadata: { deep: [1, { a: null }] }, x_trace: 'é', received_at: '2025-12-10T10:00:00.123456Z' };
    const played = new Played(undefined, envelopeOf({ ...odd, outputs: { mine: { a: 1 } } })).well(...ALL);
    expect(played.envelope).toMatchObject({ ...odd, outputs: { mine: { a: 1 } } });
  });
});

describe('a rule', () => {
  const pipeline = (...rules: object[]) =>
    pipelineOf([
      stageOf('look', { rules, default_next: 'usual' }),
      stageOf('usual'),
      stageOf('other'),
      stageOf('third'),
    ]);
  const leadsTo = (output: object, ...rules: object[]): string | undefined => {
    const unused = ['other', 'third'].map((to) => ({ field: 'never', equals: 'never', to }));
    return new Played(pipeline(...rules, ...unused)).say({ look: output as Record<string, unknown> }).due[0];
  };
  const to = (field: string, equals: unknown, target = 'other') => ({ field, equals, to: target });

  test.each([
    ['text', { a: 'yes' }, to('a', 'yes')],
    ['false', { a: false }, to('a', false)],
    ['null', { a: null }, to('a', null)],
    ['a number', { a: 0.5 }, to('a', 0.5)],
    ['zero', { a: 0 }, to('a', 0)],
    ['a field of an object', { a: { b: { c: true } } }, to('a.b.c', true)],
    ['a field whose own name has dots', { 'a.b': 1 }, to('a.b', 1)],
  ])('matches %s', (_, output, rule) => {
    expect(leadsTo(output, rule)).toBe('other');
  });

  test.each([
    ['text for a number', { a: '1' }, to('a', 1)],
    ['false for nothing', {}, to('a', false)],
    ['null for nothing', {}, to('a', null)],
    ['what every object has', {}, to('constructor.name', 'Object')],
    ['a field of text', { a: 'text' }, to('a.length', 4)],
    ['a field of null', { a: null }, to('a.b', null)],
  ])('does not take %s', (_, output, rule) => {
    expect(leadsTo(output, rule)).toBe('usual');
  });

  test('that comes first wins', () => {
    expect(leadsTo({ a: 1, b: 1 }, to('b', 1, 'third'), to('a', 1))).toBe('third');
  });
});

describe('a stage that fails', () => {
  const pipeline = (error_next?: string) =>
    pipelineOf([
      stageOf('first', { default_next: 'risky' }),
      stageOf('risky', { default_next: 'last', ...(error_next && { error_next }) }),
      stageOf('last'),
    ]);
  const failing = (error_next?: string, error: object = {}): Played => {
    const played = new Played(pipeline(error_next)).say({ first: {} });
    return played.end(played.error('risky', error));
  };

  test.each([undefined, 'end'])('ends the envelope when it leads to %s', (error_next) => {
    expect(failing(error_next).envelope).toMatchObject({
      ...{ terminated: true, terminal_reason: 'tool_failed_fatally', current_stage: 'risky' },
      termination_reason: 'stage risky failed: it broke',
    });
    expect(failing(error_next, { recoverable: true }).envelope.terminal_reason).toBe('tool_failed_recoverably');
  });

  test('leads forward where its error_next says so, and says what went wrong', () => {
    const played = failing('last');
    expect(played.due).toEqual(['last']);
    expect(played.envelope).toMatchObject({ iteration: 0, terminated: false, errors: [{ agent: 'risky' }] });
    expect(played.say({ last: {} }).envelope.terminal_reason).toBe('completed_successfully');
  });

  test('costs an iteration where its error_next leads back, so that it cannot do so for ever', () => {
    const played = failing('first');
    expect(played.due).toEqual(['first']);
    expect(played.envelope.iteration).toBe(1);
    for (const _ of [2, 3, 4]) {
      played.say({ first: {} });
      played.end(played.error('risky'));
    }
    expect(played.envelope).toMatchObject({ iteration: 4, terminal_reason: 'max_iterations_exceeded' });
  });

  test('may ask a person', () => {
    expect(failing('clarification').envelope).toMatchObject({
      ...{ clarification_pending: true, clarification_question: 'Stage risky needs to know more. What is meant?' },
      ...{ current_stage: 'risky', terminated: false },
    });
  });

  test('with an output keeps it, and ends as it says', () => {
    const played = new Played(pipeline()).say({ first: {} });
    const errors = [{ error_type: 'ToolError', message: 'gone', recoverable: true, details: { tool: 'x' } }];
    played.end(played.output('risky', { status: 'error' }, { errors, ends: 'tool_failed_recoverably' }));
    expect(played.envelope).toMatchObject({
      ...{ outputs: { risky: { status: 'error' } }, terminal_reason: 'tool_failed_recoverably' },
      errors: [{ message: 'gone', details: { tool: 'x' } }],
      processing_history: [{}, { status: 'error', error: 'gone' }],
    });
  });
});

describe('a stage that asks a person', () => {
  test('has its words asked, and leaves the envelope open', () => {
    const asks = { ...GOOD.intent, clarification_needed: true, clarification_question: 'Which login?' };
    const played = new Played(undefined, envelopeOf({ clarification_response: 'old' })).well('perception');
    expect(played.say({ intent: asks }).envelope).toMatchObject({
      ...{ clarification_pending: true, clarification_question: 'Which login?', clarification_response: null },
      ...{ terminal_reason: 'clarification_required', terminated: false, current_stage: 'intent', completed_at: null },
    });
  });

  test('for a confirmation gets an id that is its own', () => {
    const ids = ['May these run?', 'And these?'].map((message) => {
      const played = new Played().well('perception', 'intent', 'plan');
      return played.end(played.confirm('execution', 'h', message)).envelope;
    });
    expect(ids[0]).toMatchObject({
      ...{ confirmation_pending: true, confirmation_message: 'May these run?', confirmation_response: null },
      ...{ terminal_reason: 'confirmation_required', terminated: false, current_stage: 'execution' },
      processing_history: [{}, {}, {}, { status: 'waiting' }],
    });
    expect(ids[0]?.confirmation_id).not.toBe(ids[1]?.confirmation_id);
  });

  test('leaves what else is due, and another question, for afterwards', () => {
    const asks = [{ field: 'ask', equals: true, to: 'clarification' }];
    const pipeline = pipelineOf([
      stageOf('begin'),
      stageOf('one', { after: ['begin'], rules: asks }),
      stageOf('two', { after: ['begin'], rules: asks }),
      stageOf('three', { after: ['begin'], default_next: 'four' }),
      stageOf('four'),
      stageOf('join', { after: ['one', 'two', 'three'] }),
    ]);
    const played = new Played(pipeline).say({ begin: {} });
    played.say({ one: { ask: true }, two: { ask: true, clarification_question: 'Two?' }, three: {} });
    expect(played.envelope.clarification_question).toBe('Stage one needs to know more. What is meant?');
    expect(played.send({ clarification_response: 'so' })).toBeNull();
    expect(played.due).toEqual(['one', 'two', 'four']);
    played.say({ one: {}, two: { ask: true, clarification_question: 'Two?' }, four: {} });
    expect(played.envelope.clarification_question).toBe('Two?');
    expect(played.send({ clarification_response: 'so' })).toBeNull();
    expect(played.say({ two: {} }).due).toEqual(['join']);
  });
});
