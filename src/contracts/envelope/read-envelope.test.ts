import { describe, expect, test } from 'vitest';
import minimal from '../../../examples/payloads/envelope/minimal-v1.0.json' with { type: 'json' };
import schema from '../../../schemas/envelope.json' with { type: 'json' };
import { readEnvelope } from './read-envelope.js';
import { toStateDict } from './state-dict.js';

type Property = { type: string | string[]; default?: unknown; minimum?: number };
const PROPERTIES = Object.entries(schema.properties as unknown as Record<string, Property>);
const CORE = ['envelope_id', 'request_id', 'session_id', 'raw_input', 'outputs', 'current_stage', 'terminated'];
const { user_id, ...core } = minimal;

/** What the document says of a field that is not there: its default, null, an empty list, an empty object. */
function expectedDefault({ type, default: given, minimum }: Property): unknown {
  if (given !== undefined) return given;
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (type.includes('null')) return null;
  return minimum === 0 ? 0 : undefined;
}

describe('an envelope that is read', () => {
  test('takes for every field of the schema what the document says it is when missing [R344] [R345] [R346] [R351]', () => {
    const read = readEnvelope(core);
    for (const [field, property] of PROPERTIES) {
      if (CORE.includes(field)) expect(read[field]).toEqual(core[field as keyof typeof core]);
      else if (field === 'stage_order') expect(read).not.toHaveProperty(field);
      else expect(read[field], field).toEqual(expectedDefault(property));
    }
    expect(read).not.toHaveProperty('received_at');
  });

  test('takes the same where a field is null', () => {
    const nulls = Object.fromEntries(PROPERTIES.map(([field]) => [field, null]));
    expect(readEnvelope({ ...nulls, ...core })).toEqual({ ...readEnvelope(core), stage_order: [] });
    expect(readEnvelope({ ...core, outputs: null })).toEqual(readEnvelope(core));
  });

  test('has empty lists and objects instead of nulls in the stages that are done', () => {
    const stage = { stage_number: 1, satisfied_goals: null, plan_id: null, summary: null, colour: null };
    const { completed_stages } = readEnvelope({ ...core, completed_stages: [stage, { stage_number: 2 }] });
    expect(completed_stages).toEqual([{ ...stage, satisfied_goals: [], summary: {} }, { stage_number: 2 }]);
  });

  test('shares no list with another one', () => {
    readEnvelope(core).errors?.push({});
    expect(readEnvelope(core).errors).toEqual([]);
  });

  test('keeps its fields in their order; what is filled in follows in the order of the schema', () => {
    const read = Object.keys(readEnvelope({ zebra: 1, errors: null, ...core, apple: 2 }));
    expect(read.slice(0, 10)).toEqual(['zebra', 'errors', ...Object.keys(core), 'apple']);
    expect(read.slice(10)).toEqual(
      PROPERTIES.map(([field]) => field).filter(
        (field) => !CORE.includes(field) && !['errors', 'received_at', 'stage_order'].includes(field),
      ),
    );
  });

  test('leaves the input alone', () => {
    const input = Object.freeze({
      ...core,
      errors: null,
      completed_stages: Object.freeze([Object.freeze({ summary: null })]),
    });
    readEnvelope(input);
    expect(input.errors).toBeNull();
  });
});

describe('an envelope that cannot be read', () => {
  test.each(CORE)('has no %s [R288]', (field) => {
    const details = { contract: 'envelope', path: `/${field}`, keyword: 'required' };
    const refusal = { code: 'MISSING_REQUIRED_INPUT', details };
    const { [field]: _, ...rest } = core as Record<string, unknown>;
    expect(() => readEnvelope(rest)).toThrow(expect.objectContaining(refusal));
    if (field === 'outputs') return;
    expect(() => readEnvelope({ ...core, [field]: null })).toThrow(expect.objectContaining(refusal));
  });

  test.each<[string, object, string]>([
    ['an id in capitals', { envelope_id: 'env_ABC1230F9E8D7C6B' }, '/envelope_id'],
    ['an id that is too short', { request_id: 'req_1' }, '/request_id'],
    ['the id of something else', { session_id: 'req_78900f1e2d3c4b5a' }, '/session_id'],
    ['an output that is null', { outputs: { intent: null } }, '/outputs/intent'],
    ['an output that is text', { outputs: { intent: 'explain' } }, '/outputs/intent'],
    ['a goal that is null', { goal_completion_status: { a: null } }, '/goal_completion_status/a'],
    ['a stage that is null', { completed_stages: [null] }, '/completed_stages/0'],
    ['a counter below zero', { llm_call_count: -1 }, '/llm_call_count'],
    ['a counter in words', { iteration: '1' }, '/iteration'],
    ['a time nobody knows', { received_at: 'yesterday' }, '/received_at'],
    ['an end nobody knows', { terminal_reason: 'bored' }, '/terminal_reason'],
    ['a list that is an object', { errors: {} }, '/errors'],
  ])('has %s', (_, change, path) => {
    expect(() => readEnvelope({ ...core, ...change })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        details: expect.objectContaining({ contract: 'envelope', path }),
      }),
    );
  });

  test.each([[null], [[]], ['text'], [7]])('is no object: %j', (input) => {
    expect(() => readEnvelope(input)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
  });
});

test('an envelope that is written has every field of the schema but the time nobody gave [R344] [R345] [R346]', () => {
  const written = toStateDict({ ...minimal, clarification_question: undefined } as never);
  const missing = PROPERTIES.map(([field]) => field).filter((field) => !(field in written));
  expect(missing).toEqual(['received_at']);
  expect(written).toMatchObject({ stage_order: [], errors: [], metadata: {}, clarification_question: null });
});
