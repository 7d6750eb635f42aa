import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../kernel/effect.js';
import { PARK_MS_DEFAULT } from '../kernel/provider-wait.js';
import { afterFailure, timeoutSeconds } from './after-failure.js';
import type { OpenRequest } from './bridge-state.js';
import { request } from './bridge-story.js';

const AT = 100;

function open(tries: OpenRequest['tries'], timeout_seconds = 120): OpenRequest {
  return { ...request('r1', { timeout_seconds }), handoff: 'h1', takenMs: 0, attempt: 1, tries };
}

function follows(failure: FailureKind, tries: OpenRequest['tries'], retryAfterMs?: number) {
  return afterFailure(open(tries), {
    ...{ failure, reason: 'so', atMs: AT },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

const FIRST = { failed: 0, timeout: 0 };
const AGAIN = { againMs: AT };
const error = (type: string) => ({ status: 'error', error: { type, message: 'a: so' } });
const INVOCATION_FAILED = error('INVOCATION_FAILED');

/** What follows from each kind of failure: at first, and when it was tried again. A missing row does not compile. */
const ROWS: Readonly<Record<FailureKind, readonly [first: object, second: object]>> = {
  network: [{ againMs: expect.any(Number) }, INVOCATION_FAILED],
  crash: [AGAIN, INVOCATION_FAILED],
  auth: [AGAIN, INVOCATION_FAILED],
  refused: [AGAIN, INVOCATION_FAILED],
  spent: [AGAIN, INVOCATION_FAILED],
  timeout: [AGAIN, { status: 'timeout', error: { type: 'TIMEOUT', message: 'a: so' } }],
  'not-found': [error('AGENT_NOT_FOUND'), error('AGENT_NOT_FOUND')],
  'disk-full': [error('UNKNOWN'), error('UNKNOWN')],
  workspace: [error('UNKNOWN'), error('UNKNOWN')],
  limit: [{ againMs: AT + PARK_MS_DEFAULT }, { againMs: AT + PARK_MS_DEFAULT }],
  login: [AGAIN, AGAIN],
};

describe.each(Object.entries(ROWS))('after %s', (failure, [first, second]) => {
  test('what follows at first, and when it was tried again [R190, R191, R192, R195]', () => {
    expect(follows(failure as FailureKind, FIRST)).toEqual(first);
    expect(follows(failure as FailureKind, { failed: 1, timeout: 1 })).toEqual(second);
  });
});

test('each kind of failure has a try of its own', () => {
  expect(follows('timeout', { failed: 1, timeout: 0 })).toEqual(AGAIN);
  expect(follows('crash', { failed: 0, timeout: 1 })).toEqual(AGAIN);
});

test('a provider says itself how long it wants to be left alone', () => {
  expect(follows('limit', FIRST, 7_000)).toEqual({ againMs: AT + 7_000 });
  expect(follows('network', FIRST, 7_000)).toEqual({ againMs: AT + 7_000 });
});

test.each([
  [30, FIRST, 30],
  [120, { failed: 1, timeout: 0 }, 240],
  [120, { failed: 0, timeout: 1 }, 120],
  [400, { failed: 1, timeout: 0 }, 600],
  [600, { failed: 1, timeout: 1 }, 600],
])('%i seconds after %j are %i [R191]', (seconds, tries, expected) => {
  expect(timeoutSeconds(open(tries, seconds))).toBe(expected);
});
