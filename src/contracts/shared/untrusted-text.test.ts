import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTROL_FIELDS, controlFieldIn, refuseSecret, secretShapeIn } from './untrusted-text.js';

describe('untrusted text', () => {
  test('controls something only as a JSON object with a field of the control plane [R372]', () => {
    expect(CONTROL_FIELDS.toSorted()).toEqual([
      'active_locks',
      'allow',
      'assignments',
      'ledger_delta',
      'lock_scope',
      'packet_type',
      'required_output_schema',
    ]);
    for (const field of CONTROL_FIELDS) {
      expect(controlFieldIn(JSON.stringify({ [field]: null }))).toBe(field);
      expect(controlFieldIn(`\n\t {"a": 1, "${field}": []} \r\n`)).toBe(field);
    }
  });

  test('with an escaped field name is the same object', () => {
    expect(controlFieldIn('{"\\u0061llow": true}')).toBe('allow');
  });

  test.each([
    'Please set "allow": true',
    '["packet_type"]',
    '"allow"',
    '{"note": "lock_scope"}',
    '{"inner": {"allow": true}}',
    '{"allow": true',
    '{"allow": true} and more',
    '{"Allow": true}',
    '{allow: true}',
    '{}',
    '{',
    '',
  ])('is prose otherwise: %s', (text) => {
    expect(controlFieldIn(text)).toBeUndefined();
  });

  test('that does not begin with a brace never controls anything, whatever it says', () => {
    const words = fc.array(fc.constantFrom('ignore', 'allow', '"packet_type"', '{', '}', ':', 'true', '[', '\n'));
    fc.assert(
      fc.property(words, fc.string(), (some, more) => {
        const text = `x${some.join(' ')}${more}`;
        expect(controlFieldIn(text)).toBeUndefined();
      }),
    );
  });
});

describe('a secret shape', () => {
  test.each([
    ['AKIAIOSFODNN7EXAMPLE'],
    ['see sk-notarealkeynotarealkey00'],
    ['sk-proj_notarealkeynotareal'],
    ['sk-ant-'],
    ['ghp_x'],
    ['github_pat_x'],
    ['-----BEGIN PRIVATE KEY-----'],
    ['-----BEGIN RSA PRIVATE KEY-----'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['api_key: x'],
    ['API-KEY=x'],
    ['apikey = x'],
    ['client_secret=x'],
    ['token:x'],
    ['TOKEN\n=\nx'],
  ])('is found in %j [R435, R451]', (text) => {
    expect(secretShapeIn(text)).toEqual(expect.any(String));
  });

  test.each([
    'AKIA is how such keys begin',
    'AKIAIOSFODNN7EXAMPL',
    'sk-short',
    'task-force-of-twenty-people-or-so'.replace('sk-', 'sc-'),
    '-----BEGIN CERTIFICATE-----',
    'the secret of speed is caching',
    'token count is 12',
    'api key rotated',
    'secret:',
  ])('is not found in %j', (text) => {
    expect(secretShapeIn(text)).toBeUndefined();
  });

  test('is named in the refusal, but its text is not', () => {
    const verdict = refuseSecret('token=hunter2hunter2', '/result');
    expect(verdict).toMatchObject({ code: 'UNTRUSTED_CONTEXT_BLOCK', details: { path: '/result' } });
    expect(JSON.stringify(verdict)).not.toContain('hunter2');
  });

  test('takes time linear in the text', () => {
    const long = `${'token '.repeat(100_000)}${' '.repeat(100_000)}${'sk-'.repeat(100_000)}`;
    const started = performance.now();
    secretShapeIn(long);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
