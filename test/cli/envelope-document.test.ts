import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTRACTS, check } from '../../src/contracts/index.js';
import { baton, type Ran, ROOT } from './run-bin.js';

const EXAMPLES = path.join(ROOT, 'examples/payloads/envelope');
const example = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(EXAMPLES, `${name}.json`), 'utf8'));
const minimal = example('minimal-v1.0');

/** What a program sees: an exit code, one line with an object, nothing beside it. */
function answer(ran: Ran): { code: number | null; object: Record<string, unknown> } {
  expect(ran.err).toBe('');
  expect(ran.out).toMatch(/^\{.*\}\n$/);
  return { code: ran.code, object: JSON.parse(ran.out) };
}
const ask = (words: string, input: unknown) =>
  answer(
    baton(['envelope', ...words.split(' ')], { input: typeof input === 'string' ? input : JSON.stringify(input) }),
  );

describe('baton envelope create', () => {
  test('makes an envelope that fits the schema, another one each time', () => {
    const one = ask('create', { raw_input: 'How does login work?', metadata: { tenant: 7 } });
    const other = ask('create -', { raw_input: 'How does login work?' });
    expect(one).toMatchObject({
      code: 0,
      object: { raw_input: 'How does login work?', current_stage: 'start', metadata: { tenant: 7 } },
    });
    expect(check(CONTRACTS.envelope, one.object)).toMatchObject({ allow: true });
    expect(other.object.envelope_id).not.toBe(one.object.envelope_id);
  });

  test('refuses what is no order', () => {
    expect(ask('create', { question: 'How?' })).toMatchObject({ code: 1, object: { code: 'MISSING_REQUIRED_INPUT' } });
    expect(ask('create', { raw_input: 'How?', agent: 'mine' })).toMatchObject({
      code: 1,
      object: { code: 'SCHEMA_INVALID' },
    });
  });
});

describe('baton envelope can-continue', () => {
  test('answers with exit 0, whether it can or not', () => {
    const zero = { iteration: 0, llm_call_count: 0, agent_hop_count: 0 };
    expect(ask('can-continue', minimal)).toEqual({
      code: 0,
      object: { can_continue: true, terminal_reason: null, ...zero },
    });
    expect(ask('can-continue', { ...minimal, llm_call_count: 10 })).toEqual({
      code: 0,
      object: { can_continue: false, terminal_reason: 'max_llm_calls_exceeded', ...zero, llm_call_count: 10 },
    });
  });

  test('reads a file too', () => {
    const file = path.join(EXAMPLES, 'waiting-for-clarification.json');
    expect(answer(baton(['envelope', 'can-continue', file]))).toMatchObject({
      code: 0,
      object: { can_continue: false, terminal_reason: null },
    });
  });
});

describe('baton envelope result', () => {
  test('shows the answer of one that is done', () => {
    const done = example('completed-response');
    const { integration } = done.outputs as { integration: { final_response: string } };
    expect(ask('result', done)).toMatchObject({
      code: 0,
      object: { response: integration.final_response, terminated: true },
    });
  });

  test('reads what others leave out or send as null', () => {
    const { user_id, ...sparse } = minimal;
    expect(ask('result', { ...sparse, errors: null, outputs: null })).toMatchObject({
      code: 0,
      object: { response: null, errors: [], citations: [] },
    });
  });
});

describe('baton envelope validate', () => {
  test('judges by the printed schema, not by what can be read', () => {
    expect(ask('validate', minimal)).toEqual({ code: 0, object: expect.objectContaining({ allow: true, code: 'OK' }) });
    expect(ask('validate', { ...minimal, errors: null })).toMatchObject({
      code: 1,
      object: { allow: false, code: 'SCHEMA_INVALID', details: { contract: 'envelope', path: '/errors' } },
    });
  });

  test('keeps to the letter with --strict', () => {
    expect(ask('validate', { ...minimal, colour: 1 }).code).toBe(0);
    expect(ask('validate --strict', { ...minimal, colour: 1 }).code).toBe(1);
  });
});

describe('a refusal', () => {
  test('is an object on standard output that says so to other implementations too', () => {
    const { raw_input, ...rest } = minimal;
    expect(ask('can-continue', rest)).toEqual({
      code: 1,
      object: {
        allow: false,
        code: 'MISSING_REQUIRED_INPUT',
        reason: '/raw_input is missing',
        hint: expect.any(String),
        details: { contract: 'envelope', path: '/raw_input', keyword: 'required' },
        error: true,
        message: '/raw_input is missing',
      },
    });
  });

  test.each<[string, string, string]>([
    ['nothing at all', '', 'MISSING_REQUIRED_INPUT'],
    ['no JSON', '{"envelope_id":', 'SCHEMA_INVALID'],
    ['two objects', '{}{}', 'SCHEMA_INVALID'],
    ['a key twice', '{"terminated":true,"terminated":false}', 'SCHEMA_INVALID'],
    ['a list', '[]', 'SCHEMA_INVALID'],
    [
      'more than 2 MiB',
      JSON.stringify({ ...minimal, outputs: { a: { text: 'x'.repeat(2 ** 21) } } }),
      'PAYLOAD_TOO_LARGE',
    ],
  ])('follows on %s', (_, input, code) => {
    expect(ask('result', input)).toMatchObject({ code: 1, object: { allow: false, code, error: true } });
  });

  test('follows on a file that is not there', () => {
    expect(answer(baton(['envelope', 'result', 'nowhere.json']))).toMatchObject({
      code: 1,
      object: { code: 'INPUT_UNREADABLE', error: true },
    });
  });
});

test('nothing of it needs a home', () => {
  const env = { BATON_HOME: path.join(ROOT, 'package.json'), HOME: '/nonexistent' };
  expect(baton(['envelope', 'result'], { input: JSON.stringify(minimal), env }).code).toBe(0);
});
