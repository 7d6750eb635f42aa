import { describe, expect, test } from 'vitest';
import { type FailureKind, NO_USAGE } from '../kernel/effect.js';
import { PARK_MS_DEFAULT } from '../kernel/provider-wait.js';
import { afterFailure, timeoutSeconds } from './after-failure.js';
import { bridgeDecider } from './bridge-decider.js';
import type { BridgeCommand, BridgeEvent, BridgeOrder, TakenRequest } from './bridge-messages.js';
import { type BridgeRun, type LiveBridge, NO_FILES, type OpenRequest } from './bridge-state.js';

const ORDER: BridgeOrder = {
  ...{ dir: '/p', place: 'atp', argv: null, agents: {}, profile: null, project: 'p' },
  ...{ env: [], network: [], limits: {} },
};
const REQUEST: TakenRequest = {
  ...{ request_id: 'r1', phase: 1, phase_name: 'one', agent_name: 'a', timeout_seconds: 400, retry_count: 0 },
  ...{ document: { sha256: 'ab', bytes: 2 }, fingerprint: 'f', required: null },
  answerer: { agent: 'alpha', isPerson: false },
};

/** A request that an agent is asked for, told again and again how the asking failed. */
class Asked {
  run: BridgeRun = bridgeDecider.initialState();

  constructor() {
    this.tell({ type: 'Take', atMs: 10, order: ORDER, request: REQUEST, files: NO_FILES, answer: null });
    this.admit();
  }

  /** What it came to; then it is asked again, where that is so. */
  fails(failure: string): BridgeEvent[] {
    const result = { type: 'Failed', atMs: 10, key: 'h1', failure, reason: 'why', usage: NO_USAGE, retryAfterMs: 0 };
    const events = this.tell(result as unknown as BridgeCommand);
    this.admit();
    return events;
  }

  ask(): object | undefined {
    return [...bridgeDecider.outstanding(this.run)].find(({ type }) => type === 'Ask');
  }

  get replied(): LiveBridge['reply'] {
    return (this.run as LiveBridge).reply;
  }

  private admit(): void {
    const due = [...bridgeDecider.outstanding(this.run)].find(({ type }) => type === 'Admit');
    if (due) this.tell({ type: 'Admitted', atMs: 10, key: due.key } as BridgeCommand);
  }

  private tell(command: BridgeCommand): BridgeEvent[] {
    const decision = bridgeDecider.decide(this.run, command);
    if ('refusal' in decision) throw new Error(decision.refusal.reason);
    for (const event of decision.events) this.run = bridgeDecider.evolve(this.run, event);
    return [...decision.events];
  }
}

describe('an agent that does not answer', () => {
  test('too late: asked once more in the same time, then TIMEOUT under the same id [R192]', () => {
    const asked = new Asked();
    expect(asked.fails('timeout')).toMatchObject([{ type: 'HandoffEnded', response: 'TIMEOUT', action: 'RETRY' }]);
    expect(asked.ask()).toMatchObject({ request: { from: { retry_count: 1, timeout_seconds: 400 } } });
    asked.fails('timeout');
    expect(asked.ask()).toBeUndefined();
    expect(asked.replied).toMatchObject({ request_id: 'r1', status: 'timeout', error: { type: 'TIMEOUT' } });
  });

  test('crashed: asked once more with twice the time, 600 seconds at most, then INVOCATION_FAILED [R191]', () => {
    const asked = new Asked();
    asked.fails('crash');
    expect(asked.ask()).toMatchObject({ request: { from: { retry_count: 1, timeout_seconds: 600 } } });
    asked.fails('crash');
    expect(asked.replied).toMatchObject({ request_id: 'r1', status: 'error', error: { type: 'INVOCATION_FAILED' } });
  });

  test('too late, then crashed: each kind has one more try', () => {
    const asked = new Asked();
    asked.fails('timeout');
    asked.fails('crash');
    expect(asked.ask()).toMatchObject({ request: { from: { retry_count: 2, timeout_seconds: 600 } } });
    asked.fails('timeout');
    expect(asked.replied).toMatchObject({ status: 'timeout' });
  });

  test('not there: AGENT_NOT_FOUND at once; a full disk: UNKNOWN at once [R190] [R195]', () => {
    const gone = new Asked();
    gone.fails('not-found');
    expect(gone.replied).toMatchObject({ status: 'error', error: { type: 'AGENT_NOT_FOUND' } });
    const full = new Asked();
    full.fails('disk-full');
    expect(full.replied).toMatchObject({ status: 'error', error: { type: 'UNKNOWN' } });
  });
});

const AT = 100;

function open(tries: OpenRequest['tries'], timeout_seconds = 120): OpenRequest {
  return { ...REQUEST, timeout_seconds, handoff: 'h1', takenMs: 0, attempt: 1, tries };
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
  test('what follows at first, and when it was tried again [R190] [R191] [R192] [R195]', () => {
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
