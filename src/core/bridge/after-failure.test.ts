import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { bridgeDecider } from './bridge-decider.js';
import type { BridgeCommand, BridgeEvent, BridgeOrder, TakenRequest } from './bridge-messages.js';
import { type BridgeRun, type LiveBridge, NO_FILES } from './bridge-state.js';

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
