import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTRACTS, check, fromStateDict, readJson, toStateDict } from '../../src/contracts/index.js';
import { arbitraryEnvelope } from './arbitrary-envelope.js';

const over = (property: (sent: Record<string, unknown>) => void) =>
  fc.assert(fc.property(arbitraryEnvelope(), property), { numRuns: 500 });

describe('an envelope of any version', () => {
  test('comes back with everything that was sent, numbers and times to the letter [R287] [R347]', () => {
    over((sent) => {
      const text = JSON.stringify(sent);
      const back = JSON.parse(JSON.stringify(toStateDict(fromStateDict(JSON.parse(text)))));
      for (const [field, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
        if (value === null) expect([null, '[]', '{}'], field).toContain(back[field] && JSON.stringify(back[field]));
        else expect(JSON.stringify(back[field]), field).toBe(JSON.stringify(value));
      }
    });
  });

  test('keeps its fields in the order in which they came', () => {
    over((sent) => {
      const names = Object.keys(sent);
      expect(Object.keys(toStateDict(fromStateDict(sent))).filter((name) => names.includes(name))).toEqual(names);
    });
  });

  test('reads as itself once it has been read', () => {
    over((sent) => {
      const read = fromStateDict(sent);
      expect(JSON.stringify(fromStateDict(read))).toBe(JSON.stringify(read));
      const written = toStateDict(read);
      expect(JSON.stringify(toStateDict(fromStateDict(written)))).toBe(JSON.stringify(written));
    });
  });

  test('is written as the printed schema has it [R287]', () => {
    over((sent) => {
      expect(check(CONTRACTS.envelope, toStateDict(fromStateDict(sent)))).toMatchObject({ allow: true });
    });
  });

  test('is left as it was by whoever reads it', () => {
    over((sent) => {
      const before = JSON.stringify(sent);
      toStateDict(fromStateDict(sent));
      expect(JSON.stringify(sent)).toBe(before);
    });
  });
});

test('the generator makes what bytes can carry, in all versions and with all oddities', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbitraryEnvelope(), (sent) => {
      expect(readJson(JSON.stringify(sent))).toEqual({ value: sent });
      if (!('goal_completion_status' in sent || 'llm_call_count' in sent)) seen.add('v1.0');
      if ('goal_completion_status' in sent) seen.add('v1.1');
      if ('agent_hop_count' in sent) seen.add('v1.2');
      if (sent.errors === null) seen.add('null for a list');
      if (sent.metadata === null) seen.add('null for an object');
      if (String(sent.received_at).includes('.123456')) seen.add('microseconds');
      if (/[+-]\d\d:30/.test(String(sent.received_at))) seen.add('an offset');
      if (Object.keys(sent).some((name) => name.endsWith('~'))) seen.add('unknown fields');
      if (JSON.stringify(sent.outputs).includes('~"')) seen.add('unknown fields inside');
      if (sent.raw_input === '') seen.add('an empty text');
    }),
    { numRuns: 500 },
  );
  expect([...seen].sort()).toEqual([
    'an empty text',
    'an offset',
    'microseconds',
    'null for a list',
    'null for an object',
    'unknown fields',
    'unknown fields inside',
    'v1.0',
    'v1.1',
    'v1.2',
  ]);
});
