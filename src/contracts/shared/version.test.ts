import { describe, expect, test } from 'vitest';
import packet from '../../../examples/payloads/assignment/document-minimal.json' with { type: 'json' };
import { CONTRACTS } from '../catalogue.js';
import { CONTRACT_NAMES } from '../contract-names.js';
import { check } from './contract.js';

function ofVersion(schema_version: unknown) {
  return check(CONTRACTS.assignment, { ...packet, schema_version });
}

describe('the version of a payload', () => {
  test('is 1.0.0 today, and later minors and patches are read too [R358]', () => {
    expect(packet.schema_version).toBe('1.0.0');
    for (const version of ['1.0.0', '1.0.7', '1.12.0']) expect(ofVersion(version)).toMatchObject({ allow: true });
  });

  test.each(['2.0.0', '0.1.0', '10.0.0', '11.0.0', '2', '-1.0.0'])(
    'of an unknown major is refused as such: %s [R360]',
    (version) => {
      expect(ofVersion(version)).toMatchObject({ allow: false, code: 'UNKNOWN_SCHEMA_VERSION' });
    },
  );

  test.each([1, 1.5, null, true, ['1.0.0'], { major: 1 }, '', ' ', '1', '1.0', '1.0.0.0', '1.0.0 ', '1.a.0'])(
    'that is malformed is refused: %j [R361]',
    (version) => {
      expect(ofVersion(version)).toMatchObject({ allow: false, code: 'SCHEMA_INVALID' });
    },
  );

  test('must be in every packet of contract 003; in artifacts and inputs of tools it may be left out [R359]', () => {
    const versioned = CONTRACT_NAMES.filter((name) => CONTRACTS[name].versioned === 'required');
    expect(versioned).toEqual(['assignment', 'orchestrator-output', 'subagent-result', 'handoff-bundle', 'plan']);
    for (const name of versioned) {
      expect(check(CONTRACTS[name], {})).toMatchObject({
        code: 'MISSING_REQUIRED_INPUT',
        details: { path: '/schema_version' },
      });
    }
  });

  // A bug that is known: both schemas say so, but their pattern takes any major.
  test('is also looked at in a job history and in an agent that is registered through a session', () => {
    const schema_version = '2.0.0';
    const history = { schema_version, job_id: 'j', created_at: '2025-11-20T10:00:00Z', interactions: [] };
    const agent = { schema_version, id: 'a', adapter: 'human' };
    expect([
      check(CONTRACTS['job-history'], history).allow,
      check(CONTRACTS.submission, { id: 's', op: { type: 'register_agent', agent } }).allow,
    ]).toEqual([false, false]);
  });
});
