import { describe, expect, test } from 'vitest';
import { GOOD, Played, pipelineOf, stageOf } from '../../../test/envelopes/stage-kit.js';
import { expired } from './receive-envelope.js';

const clarifying = (): Played =>
  new Played().well('perception').say({ intent: { ...GOOD.intent, clarification_needed: true } });
const confirming = (): Played => {
  const played = new Played().well('perception', 'intent', 'plan');
  return played.end(played.confirm('execution'));
};

describe('an answer', () => {
  test('to a clarification leads to the intent; question and answer stay', () => {
    const played = clarifying();
    expect(played.send({ clarification_response: 'the one of the shop' })).toBeNull();
    expect(played.due).toEqual(['intent']);
    expect(played.envelope).toMatchObject({
      ...{ clarification_pending: false, terminal_reason: null, clarification_response: 'the one of the shop' },
      clarification_question: 'Stage intent needs to know more. What is meant?',
    });
  });

  test('yes lets exactly those steps run, once', () => {
    const played = confirming();
    expect(played.send({ confirmation_response: true })).toBeNull();
    expect(played.due).toEqual(['execution']);
    expect(played.at.progress.confirmed).toBe('hash of the steps');
    expect(played.envelope).toMatchObject({ confirmation_pending: false, terminal_reason: null });
    expect(played.well('execution').at.progress.confirmed).toBeNull();
  });

  test('no ends it, and it stays so', () => {
    const played = confirming();
    expect(played.send({ confirmation_response: false })).toBeNull();
    expect(played.envelope).toMatchObject({
      ...{ terminated: true, terminal_reason: 'denied_by_policy', confirmation_pending: false },
      confirmation_response: false,
    });
    expect(played.send({ terminated: false })).toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('does not choose where it goes on', () => {
    const played = confirming();
    expect(played.send({ confirmation_response: true, current_stage: 'integration' })).toBeNull();
    expect(played.due).toEqual(['execution']);
  });

  test('leads to whoever asked for steps, also beside an execution', () => {
    const pipeline = pipelineOf([
      stageOf('tidy', { tools: ['rm'], default_next: 'execution' }),
      stageOf('execution', { tools: ['read_file'] }),
    ]);
    const played = new Played(pipeline);
    played.end(played.confirm('tidy'));
    expect(played.send({ confirmation_response: true })).toBeNull();
    expect(played.due).toEqual(['tidy']);
  });

  test('yes leads on where there is no execution, and to the end where nothing follows', () => {
    const asks = [{ field: 'ask', equals: true, to: 'confirmation' }];
    const pipeline = pipelineOf([
      stageOf('one', { rules: asks, default_next: 'two' }),
      stageOf('two', { rules: asks }),
    ]);
    const played = new Played(pipeline).say({ one: { ask: true, confirmation_message: 'Sure?' } });
    expect(played.envelope).toMatchObject({ current_stage: 'two', confirmation_message: 'Sure?' });
    expect(played.send({ confirmation_response: true })).toBeNull();
    played.say({ two: { ask: true } });
    expect(played.envelope.current_stage).toBe('end');
    expect(played.send({ confirmation_response: true })).toBeNull();
    expect(played.envelope.terminal_reason).toBe('completed_successfully');
  });
});

describe('what is no answer', () => {
  test('one that was given already', () => {
    const played = confirming();
    const asked = played.envelope;
    expect(played.send({ confirmation_response: true })).toBeNull();
    expect(played.send({ ...asked, confirmation_response: false })).toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(played.send({ confirmation_response: false })).toMatchObject({ code: 'ENVELOPE_MISMATCH' });
  });

  test.each([
    [{ clarification_response: 'x' }, 'ENVELOPE_MISMATCH'],
    [{ confirmation_response: true }, 'ENVELOPE_MISMATCH'],
    [{ confirmation_id: 'made up' }, 'ENVELOPE_MISMATCH'],
    [{ clarification_pending: true }, 'INVALID_TRANSITION'],
    [{ confirmation_pending: true }, 'INVALID_TRANSITION'],
  ])('one to what nobody asked: %j', (said, code) => {
    expect(new Played().well('perception').send(said)).toMatchObject({ code });
  });

  test('one under another confirmation_id', () => {
    const wrong = { confirmation_response: true, confirmation_id: 'conf_other' };
    expect(confirming().send(wrong)).toMatchObject({
      code: 'ENVELOPE_MISMATCH',
      details: { path: '/confirmation_id' },
    });
  });

  test.each([
    [clarifying, { clarification_pending: false }],
    [clarifying, { terminated: true }],
    [clarifying, { clarification_pending: false, confirmation_pending: true, confirmation_response: true }],
    [confirming, { confirmation_pending: false }],
    [confirming, { confirmation_pending: false, clarification_pending: true, clarification_response: 'x' }],
  ])('clearing the question instead', (asking, sent) => {
    expect(asking().send(sent)).toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('nothing but blanks: the question stays as it was asked', () => {
    const played = clarifying();
    const changes = { clarification_question: 'Another one?', terminal_reason: 'completed_successfully' };
    expect(played.send({ ...changes, clarification_response: ' ', confirmation_pending: true })).toBeNull();
    expect(played.envelope).toMatchObject({
      ...{ clarification_pending: true, confirmation_pending: false, clarification_response: null },
      ...{ terminal_reason: 'clarification_required' },
      clarification_question: 'Stage intent needs to know more. What is meant?',
    });
  });

  test.each([
    ['clarification_required', clarifying, { clarification_response: 'x' }],
    ['denied_by_policy', confirming, { confirmation_response: true }],
  ] as const)('one that comes too late: nothing goes on, %s', (reason, asking, answer) => {
    const played = asking();
    const asked = played.envelope;
    played.at = expired(played.at, '24 h', played.clockMs);
    expect(played.envelope).toMatchObject({ terminated: true, terminal_reason: reason });
    expect(played.envelope.termination_reason).toContain('within 24 h');
    expect(played.send({ ...asked, ...answer })).toMatchObject({ code: 'INTERRUPT_EXPIRED' });
    expect(played.send({ terminated: false })).toMatchObject({ code: 'INVALID_TRANSITION' });
  });
});
