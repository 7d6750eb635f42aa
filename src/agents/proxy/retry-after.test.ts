import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

test.each<[string, Parameters<typeof retryAfterMs>[0], number | undefined]>([
  ['nothing', { headers: {} }, undefined],
  ['seconds', { headers: { 'retry-after': '12' } }, 12_000],
  ['a date', { headers: { 'retry-after': 'Sun, 15 Nov 2026 12:00:30 GMT' } }, 30_000],
  ['a date that is over', { headers: { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' } }, 0],
  ['milliseconds before seconds', { headers: { 'retry-after-ms': '250', 'retry-after': '9' } }, 250],
  ['a plan that resets', { headers: {}, error: { resets_in_seconds: 3_600 } }, 3_600_000],
  ['a plan that resets at a time', { headers: {}, error: { resets_at: NOW_MS / 1_000 + 60 } }, 60_000],
  ['a plan in a header', { headers: { 'anthropic-ratelimit-unified-reset': String(NOW_MS / 1_000 + 5) } }, 5_000],
  [
    'a limit of which nothing remains',
    { headers: { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0.5s' } },
    360_500,
  ],
  [
    'a limit of which something remains',
    { headers: { 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m0s' } },
    undefined,
  ],
  [
    'a limit that begins anew at a time',
    {
      headers: {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-15T12:01:00Z',
      },
    },
    60_000,
  ],
  ['words', { headers: {}, message: 'Rate limit reached. Please try again in 1.5s.' }, 1_500],
  ['nonsense', { headers: { 'retry-after': '-5; DROP' }, error: { resets_at: 'soon' }, message: 5 }, undefined],
  ['for ever', { headers: { 'retry-after': '99999999999' } }, 30 * DAY_MS],
])('%s', (_, told, waitMs) => {
  expect(retryAfterMs(told, NOW_MS)).toBe(waitMs);
});
