import { describe, expect, test } from 'vitest';
import packet from '../../../examples/payloads/assignment/document-minimal.json' with { type: 'json' };
import { assignment } from '../operator/assignment.js';
import { type Contract, check, checkAgainst, checkText, parseContract, type Validate } from './contract.js';
import { deny } from './verdict.js';

const accepts: Validate = () => true;

function contract(parts: Partial<Contract<unknown>>): Contract<unknown> {
  return { name: 'test', validate: accepts, validateStrict: accepts, rules: [], ...parts };
}

describe('fields that a contract does not know', () => {
  const unknown = { ...packet, colour: 'red' };
  const nested = { ...packet, task: { ...packet.task, colour: 'red' } };
  const extension = { ...packet, x_colour: 'red', task: { ...packet.task, x_colour: { any: ['thing'] } } };

  test('are accepted when nobody asks to be strict [R488]', () => {
    expect(check(assignment, unknown)).toMatchObject({ allow: true });
    expect(check(assignment, nested)).toMatchObject({ allow: true });
  });

  test('are refused by name in strict mode, at every depth [R487]', () => {
    expect(check(assignment, unknown, { strict: true })).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '', field: 'colour' },
    });
    expect(check(assignment, nested, { strict: true })).toMatchObject({ details: { path: '/task', field: 'colour' } });
  });

  test('are extensions when they begin with x_, accepted and ignored in both modes [R485, R486]', () => {
    expect(check(assignment, extension)).toMatchObject({ allow: true });
    expect(check(assignment, extension, { strict: true })).toMatchObject({ allow: true });
    expect(check(assignment, { ...packet, X_colour: 1 }, { strict: true })).toMatchObject({ allow: false });
  });

  test('are still known in strict mode when the contract lists them as common', () => {
    expect(check(assignment, { ...packet, generated_at: '2025-11-20T10:00:00Z' }, { strict: true })).toMatchObject({
      allow: true,
    });
  });
});

describe('a validator', () => {
  test('that breaks refuses', () => {
    const breaks = () => {
      throw new Error('out of order');
    };
    const refusal = { allow: false, code: 'VALIDATOR_FAILED', reason: expect.stringContaining('out of order') };
    expect(check(contract({ validate: breaks }), {})).toMatchObject(refusal);
    expect(check(contract({ rules: [breaks] }), {})).toMatchObject(refusal);
    expect(check(contract({ validateStrict: breaks }), {}, { strict: true })).toMatchObject(refusal);
    expect(checkAgainst(contract({ against: { contract: 'other', check: breaks } }), {}, {})).toMatchObject(refusal);
  });

  test('that refuses without a reason refuses all the same', () => {
    expect(check(contract({ validate: () => false }), {})).toMatchObject({ allow: false, code: 'VALIDATOR_FAILED' });
  });

  test('asks its rules in order and stops at the first that refuses', () => {
    const asked: string[] = [];
    const rule = (name: string, verdict: ReturnType<Contract<unknown>['rules'][number]>) => () => {
      asked.push(name);
      return verdict;
    };
    const refuses = deny('LOCK_CONFLICT', 'taken');
    const rules = [rule('a', true), rule('b', refuses), rule('c', deny('SCHEMA_INVALID', 'wrong'))];
    expect(check(contract({ rules }), {})).toMatchObject({ code: 'LOCK_CONFLICT', details: { contract: 'test' } });
    expect(asked).toEqual(['a', 'b']);
  });
});

describe('the way in', () => {
  test('returns the very value that came in', () => {
    expect(parseContract(assignment, packet)).toBe(packet);
  });

  test('throws the refusal with its code and place', () => {
    expect(() => parseContract(assignment, {})).toThrow(
      expect.objectContaining({
        code: 'MISSING_REQUIRED_INPUT',
        details: expect.objectContaining({ path: '/schema_version' }),
      }),
    );
  });

  test.each(['', ' \n'])('refuses the empty text %j as missing', (text) => {
    expect(checkText(assignment, text)).toMatchObject({
      code: 'MISSING_REQUIRED_INPUT',
      details: { contract: 'assignment' },
    });
  });

  test('refuses text that is not JSON', () => {
    expect(checkText(assignment, '{"schema_version": ')).toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  test('compares only contracts that answer another', () => {
    expect(() => checkAgainst(assignment as Contract<unknown>, packet, {})).toThrow(/not compared/);
  });
});
