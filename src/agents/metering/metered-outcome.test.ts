import { expect, test } from 'vitest';
import { NO_USAGE } from '../../core/kernel/effect.js';
import { answered, failed } from '../adapter.js';
import type { Seen } from '../proxy/create-meter.js';
import { NO_METERED_USAGE } from '../proxy/tokens.js';
import { meteredOutcome, withoutKey } from './metered-outcome.js';

const USED = { inputTokens: 10, outputTokens: 5, costMicroUsd: 3 };
const nothing: Seen = { login: 'openai', usage: NO_METERED_USAGE, stop: null, failure: null };
const used: Seen = { ...nothing, usage: { ...NO_METERED_USAGE, ...USED, requests: 1 } };

test('what was seen of all tokens is the usage, whatever the agent says', () => {
  const twice = { inputTokens: 20, outputTokens: 10, costMicroUsd: 6 };
  const said = { ...answered('{}'), usage: { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 } };
  expect(meteredOutcome(said, [used, used])).toEqual({ ...said, usage: twice });
  expect(meteredOutcome(failed('crash', 'exit 1'), [used])).toMatchObject({ failure: 'crash', usage: USED });
});

test('who asked no provider is believed', () => {
  const said = { ...answered('{}'), usage: USED };
  expect(meteredOutcome(said, [nothing])).toEqual(said);
});

test.each([
  [
    { kind: 'tokens', spent: 12, max: 10 },
    { failure: 'spent', reason: expect.stringContaining('12 of 10 tokens') },
  ],
  [
    { kind: 'cost', spentMicroUsd: 5_120_000, maxMicroUsd: 5_000_000 },
    { failure: 'spent', reason: expect.stringContaining('$5.12 of $5.00') },
  ],
  [
    { kind: 'price-missing', model: 'm1' },
    { failure: 'refused', reason: expect.stringContaining('what m1 costs') },
  ],
] as const)('%j is why it failed, and an answer stands', (stop, outcome) => {
  expect(meteredOutcome(failed('crash', 'exit 1'), [nothing, { ...used, stop }])).toMatchObject({
    ...outcome,
    usage: USED,
  });
  expect(meteredOutcome(answered('{}'), [{ ...used, stop }])).toEqual({ type: 'answered', text: '{}', usage: USED });
});

test('what was wrong with the provider at last is why it failed, unless it failed by itself', () => {
  const failure = { kind: 'limit', reason: 'HTTP 429', retryAfterMs: 7 } as const;
  const seen = [{ ...nothing, failure }];
  expect(meteredOutcome(failed('crash', 'exit 3'), seen)).toEqual({
    type: 'failed',
    failure: 'limit',
    reason: 'openai says HTTP 429; the agent: exit 3',
    retryAfterMs: 7,
    usage: NO_USAGE,
  });
  for (const own of ['timeout', 'not-found', 'disk-full', 'workspace'] as const) {
    expect(meteredOutcome(failed(own, 'x'), seen)).toEqual(failed(own, 'x'));
  }
});

test.each([
  ['baton_upstream_unreachable ECONNREFUSED', 'openai cannot be reached (ECONNREFUSED)'],
  ['baton_upstream_timeout', 'openai did not answer in time'],
  ['HTTP 503 overloaded_error', 'openai says HTTP 503 overloaded_error'],
])('%s is told in words, with the beginning of what the agent said', (reason, told) => {
  const seen = [{ ...nothing, failure: { kind: 'network', reason } as const }];
  expect(meteredOutcome(failed('crash', `exit 3: ${'x'.repeat(99)}\ny`), seen)).toMatchObject({
    reason: `${told}; the agent: exit 3: ${'x'.repeat(52)}…`,
  });
});

test('a key that was to be there and is not is said with the failure of who wanted it', () => {
  const missing = ['OPENAI_API_KEY'];
  expect(withoutKey(failed('crash', 'exit 1'), missing)).toEqual(
    failed('crash', 'OPENAI_API_KEY is not set; the agent: exit 1'),
  );
  expect(withoutKey(failed('crash', 'exit 1'), [])).toEqual(failed('crash', 'exit 1'));
  expect(withoutKey(answered('{}'), missing)).toEqual(answered('{}'));
});
