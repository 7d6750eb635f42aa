import { describe, expect, test } from 'vitest';
import { isErrorCode } from '../../../src/contracts/shared/errors.js';
import { examplesOf } from '../payload-examples.js';
import { DOCUMENTED_CODES } from './documented-codes.js';
import { momentMs } from './moments.js';
import { secondReading } from './reading.js';
import { OPERATOR_CONTRACTS, secondOpinion, secondOpinionAgainst } from './second-opinion.js';

const BYTES_MAX = 2 * 1024 * 1024;

describe('the second opinion', () => {
  const examples = OPERATOR_CONTRACTS.flatMap(examplesOf);
  test.each(examples)('$file is $code', ({ contract, code, text }) => {
    const reading = secondReading(text, BYTES_MAX);
    const opinion = 'code' in reading ? reading.code : secondOpinion(contract as 'assignment', reading.value, false);
    expect(opinion).toBe(code);
  });

  test('names no code that the catalogue does not know', () => {
    expect([...DOCUMENTED_CODES].filter((code) => !isErrorCode(code))).toEqual([]);
  });

  test('minds unknown fields in strict mode only, wherever they stand, and never x_ fields', () => {
    const locks = (extra: object) => ({ locks: [{ task_id: 'T-1', resource: 'a', active: true, ...extra }] });
    expect(secondOpinion('locks', locks({ more: 1 }), false)).toBe('OK');
    expect(secondOpinion('locks', locks({ more: 1 }), true)).toBe('SCHEMA_INVALID');
    expect(secondOpinion('locks', locks({ x_more: 1 }), true)).toBe('OK');
  });
});

describe('a result against the assignment it answers', () => {
  const examples = (contract: 'assignment' | 'subagent-result') =>
    examplesOf(contract).find(({ file }) => file.endsWith('/document-minimal.json'))?.text as string;
  const packet = JSON.parse(examples('assignment'));
  const result = JSON.parse(examples('subagent-result'));

  test.each([
    ['the document’s own pair fits', {}, 'OK'],
    ['another run does not', { run_id: '11111111-1111-4111-8111-111111111111' }, 'NON_COMPLIANT'],
    ['another task does not', { task_id: 'T-1' }, 'NON_COMPLIANT'],
    ['another worklog does not', { worklog_path: 'worklogs/T-1.jsonl' }, 'NON_COMPLIANT'],
    [
      'a criterion of its own does not count',
      { acceptance_check: [{ criterion: 'x', status: 'pass', evidence: 'y' }] },
      'ACCEPTANCE_FAILED',
    ],
    ['a blocked one proves nothing', { status: 'blocked', acceptance_check: [] }, 'OK'],
    ['a change elsewhere is out of scope', { changes: [{ resource: 'src/a.py', action: 'edit' }] }, 'SCOPE_VIOLATION'],
    ['scope goes by exact case', { changes: [{ resource: 'tests/Test_api.py', action: 'edit' }] }, 'SCOPE_VIOLATION'],
    ['the worklog is exempt', { changes: [{ resource: './worklogs/T-12.jsonl', action: 'edit' }] }, 'OK'],
  ])('%s', (_about, change, code) => {
    expect(secondOpinionAgainst({ ...result, ...change }, packet)).toBe(code);
  });
});

describe('its own calendar', () => {
  test('agrees with the built-in one on the distance of moments', () => {
    const moments = [
      '0000-03-01T00:00:00Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00Z',
      '2000-02-29T12:00:00+05:30',
      '2024-12-31T23:59:59-08:00',
      '2100-03-01T00:00:00Z',
      '9999-12-31T23:59:59.123456789Z',
    ];
    const epoch = momentMs('1970-01-01T00:00:00Z') as number;
    expect(moments.map((text) => (momentMs(text) as number) - epoch)).toEqual(moments.map((text) => Date.parse(text)));
  });

  test('puts a leap second right before midnight of UTC', () => {
    expect(momentMs('2016-12-31T23:59:60Z')).toBe(momentMs('2017-01-01T00:00:00Z'));
    expect(momentMs('2016-12-31T12:00:60Z')).toBeUndefined();
  });
});
