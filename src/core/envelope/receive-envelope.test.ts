import { describe, expect, test } from 'vitest';
import { allowed, DEFAULT, envelopeOf, GOOD, Played, REVIEW } from '../../../test/envelopes/stage-kit.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { canContinue } from './bounds.js';
import { receiveChanged, receiveFirst } from './receive-envelope.js';

const first = (changes: object, pipeline: Pipeline = DEFAULT): Played => new Played(pipeline, envelopeOf(changes));
const clarifying = (): Played =>
  new Played().well('perception').say({ intent: { ...GOOD.intent, clarification_needed: true } });

describe('an envelope that is seen for the first time', () => {
  test('begins with the first stage, and knows the order of all', () => {
    const played = first({});
    expect(played.due).toEqual(['perception']);
    expect(played.envelope.stage_order).toHaveLength(6);
    expect(first({ stage_order: ['mine'] }).envelope.stage_order).toEqual(['mine']);
  });

  test('goes on where it says it is', () => {
    expect(first({ current_stage: 'plan', outputs: { intent: {} } }).due).toEqual(['plan']);
    expect(first({ current_stage: 'end' }).envelope.terminal_reason).toBe('completed_successfully');
  });

  test('at a stage that its pipeline does not have is refused', () => {
    const denial = receiveFirst(envelopeOf({ current_stage: 'elsewhere' }), DEFAULT, 0);
    expect(denial).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/current_stage' } });
  });

  test('that has ended stays as it is, wherever it ended', () => {
    const changes = { terminated: true, terminal_reason: 'denied_by_policy', current_stage: 'elsewhere' };
    expect(first(changes).envelope).toMatchObject(changes);
  });

  test('in the midst of stages side by side goes on with all that have not run', () => {
    const played = first({ current_stage: 'style', outputs: { prepare: {}, tests: {} } }, REVIEW);
    expect(played.due).toEqual(['style', 'security']);
    expect(played.at.progress.waiting).toEqual(['verdict']);
    expect(played.say({ style: {}, security: {} }).due).toEqual(['verdict']);
  });

  test('at a bound ends there', () => {
    expect(first({ llm_call_count: 10 }).envelope).toMatchObject({
      ...{ terminated: true, terminal_reason: 'max_llm_calls_exceeded', current_stage: 'perception' },
      termination_reason: '10 of 10 LLM calls are used',
    });
  });

  test('brings its question with it, and an answer to that', () => {
    const asked = { clarification_pending: true, clarification_question: 'Which?', current_stage: 'critic' };
    const waiting = first(asked);
    expect(waiting.due).toEqual([]);
    expect(waiting.send({ clarification_response: 'that' })).toBeNull();
    expect(waiting.due).toEqual(['intent']);
    expect(first({ ...asked, clarification_response: 'that' }).due).toEqual(['intent']);
    const at = { confirmation_pending: true, confirmation_id: 'c', current_stage: 'execution' };
    expect(first({ ...at, confirmation_response: true }).due).toEqual(['execution']);
    expect(first({ ...at, confirmation_response: false }).envelope.terminal_reason).toBe('denied_by_policy');
  });

  test('with a question at its end has everything behind the intent to do again', () => {
    const outputs = Object.fromEntries(Object.entries(GOOD));
    const played = first({ clarification_pending: true, current_stage: 'end', outputs, max_llm_calls: 99 });
    expect(played.send({ clarification_response: 'that' })).toBeNull();
    expect(played.well('intent').due).toEqual(['plan']);
  });
});

describe('bounds', () => {
  const over = { iteration: 4, llm_call_count: 10, agent_hop_count: 21 };

  test.each([
    ['max_iterations_exceeded', over],
    ['max_llm_calls_exceeded', { ...over, iteration: 3 }],
    ['max_agent_hops_exceeded', { ...over, iteration: 3, llm_call_count: 9 }],
    [null, { iteration: 3, llm_call_count: 9, agent_hop_count: 20 }],
  ])('are looked at in their order: %s', (reason, counters) => {
    expect(first(counters).envelope).toMatchObject({ terminal_reason: reason, terminated: reason !== null });
    expect(canContinue(envelopeOf(counters))).toMatchObject({ can_continue: reason === null, terminal_reason: reason });
  });

  test('come after what has ended and what waits', () => {
    expect(first({ ...over, clarification_pending: true }).envelope).toMatchObject({ terminated: false });
    expect(first({ ...over, terminated: true }).envelope.terminal_reason).toBeNull();
  });

  test('end it before the next stage, also one that is Baton’s own', () => {
    const played = first({ max_llm_calls: 3 }).well('perception', 'intent', 'plan');
    expect(played.envelope).toMatchObject({ terminal_reason: 'max_llm_calls_exceeded', current_stage: 'execution' });
    expect(played.at.progress.due).toEqual(['execution']);
  });
});

describe('what is sent again', () => {
  test('with a lower counter is stale', () => {
    const played = new Played()
      .well('perception', 'intent', 'plan', 'execution')
      .say({ critic: { verdict: 'reintent' } });
    for (const counter of ['iteration', 'llm_call_count', 'agent_hop_count']) {
      expect(played.send({ [counter]: 0 })).toMatchObject({ code: 'ENVELOPE_STALE', details: { path: `/${counter}` } });
    }
    const second = new Played().well('perception', 'intent', 'plan', 'execution');
    second.say({ critic: { verdict: 'next_stage' } });
    expect(second.send({ current_stage_number: 1 })).toMatchObject({ code: 'ENVELOPE_STALE' });
  });

  test.each(['user_id', 'request_id', 'session_id'])('by another %s is refused', (field) => {
    const other = { user_id: 'eva', request_id: 'req_ffffffffffffffff', session_id: 'sess_ffffffffffffffff' };
    const sent = { [field]: other[field as keyof typeof other], clarification_response: 'x' };
    expect(clarifying().send(sent)).toMatchObject({ code: 'ENVELOPE_MISMATCH', details: { path: `/${field}` } });
  });

  test('elsewhere goes on there, and has what lies behind it to do again', () => {
    const played = new Played().well('perception', 'intent', 'plan', 'execution');
    expect(played.send({ current_stage: 'intent' })).toBeNull();
    expect([played.due, played.at.progress.ran]).toEqual([['intent'], ['perception']]);
    expect(played.well('intent').due).toEqual(['plan']);
    expect(played.send({ current_stage: 'start' })).toBeNull();
    expect(played.due).toEqual(['perception']);
    expect(played.send({ current_stage: 'nowhere' })).toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  test('with something added keeps it, and goes on where it was', () => {
    const played = new Played().well('perception');
    expect(played.send({ metadata: { note: 'x' } })).toBeNull();
    expect(played.envelope.metadata).toEqual({ note: 'x' });
    expect(played.due).toEqual(['intent']);
  });

  test('as ended is ended', () => {
    const played = new Played().well('perception');
    expect(played.send({ terminated: true })).toBeNull();
    expect(played.due).toEqual([]);
    expect(played.send({ terminated: false })).toBeNull();
    expect(played.due).toEqual(['intent']);
  });
});

describe('an envelope that has ended', () => {
  test.each([
    ['max_llm_calls_exceeded', { max_llm_calls: 2 }, { max_llm_calls: 9 }],
    ['max_agent_hops_exceeded', { max_agent_hops: 2 }, { max_agent_hops: 9 }],
  ])('with %s goes on where it stood once the bound is raised, and not before', (reason, bound, raised) => {
    const played = first(bound).well('perception', 'intent');
    expect(played.envelope).toMatchObject({ terminal_reason: reason, current_stage: 'plan' });
    expect(played.send({ terminated: false, metadata: { tried: 1 } })).toBeNull();
    expect(played.envelope).toMatchObject({ terminal_reason: reason, terminated: true });
    expect(played.send({ terminated: false, ...raised })).toBeNull();
    expect(played.due).toEqual(['plan']);
    expect(played.envelope).toMatchObject({ terminal_reason: null, termination_reason: null, completed_at: null });
  });

  test('with a failure goes on with what failed', () => {
    const played = new Played().well('perception');
    played.end(played.error('intent'));
    expect(played.send({ terminated: false })).toBeNull();
    expect(played.due).toEqual(['intent']);
  });

  test('well stays so', () => {
    const played = new Played().well('perception', 'intent', 'plan', 'execution', 'critic', 'integration');
    expect(played.send({ terminated: false })).toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(played.send({ metadata: { read: true } })).toBeNull();
    expect(played.envelope).toMatchObject({ terminal_reason: 'completed_successfully', metadata: { read: true } });
  });

  test('by too many fires of the critic ends again: its pipeline has not changed', () => {
    const pipeline = { ...DEFAULT, max_critic_fires: 0 };
    const played = new Played(pipeline).well('perception', 'intent', 'plan', 'execution');
    played.say({ critic: { verdict: 'reintent' } });
    expect(played.send({ terminated: false, metadata: { again: true } })).toBeNull();
    expect(played.envelope.terminal_reason).toBe('max_critic_fires_exceeded');
  });
});

test('neither what is recorded nor what is sent is touched', () => {
  const { at } = clarifying();
  const frozen = JSON.stringify(at);
  allowed(receiveChanged(at, { ...at.envelope, clarification_response: 'x' }, DEFAULT, 0));
  expect(JSON.stringify(at)).toBe(frozen);
});
