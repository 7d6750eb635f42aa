/** Tells the life of a bridge in tests: the world is played by the test, one thing after the other. */
import type { Ask, EffectResult, FailureKind, Perform } from '../kernel/effect.js';
import { NO_USAGE } from '../kernel/effect.js';
import { bridgeDecider } from './bridge-decider.js';
import type { RequestFacts, RoundFacts } from './bridge-effects.js';
import type {
  BridgeCommand,
  BridgeEvent,
  BridgeOrder,
  BridgeReply,
  Exit,
  KeptFiles,
  RoundResult,
  TakenRequest,
} from './bridge-messages.js';
import { type BridgeRun, type LiveBridge, NO_FILES } from './bridge-state.js';
import { replyTo } from './reply.js';

export const BODY = { sha256: 'ab', bytes: 2 };
export const ORDER: BridgeOrder = {
  ...{ dir: '/p', place: 'atp', argv: ['make'], agents: {}, profile: null, project: 'p' },
  ...{ env: [], network: [], limits: {} },
};
export const FINE = { error: null, confidence: null };

export function request(id: string, change: Partial<TakenRequest> = {}): TakenRequest {
  return {
    ...{ request_id: id, phase: 1, phase_name: 'one', agent_name: 'a', timeout_seconds: 30, retry_count: 0 },
    ...{ document: BODY, fingerprint: `of-${id}`, answerer: { agent: 'alpha', isPerson: false }, required: null },
    ...change,
  };
}

export const replied = (id: string): BridgeReply =>
  replyTo({ request_id: id }, { status: 'success', atMs: 1, answer: BODY });
export const EXIT_42: Exit = { code: 42, signal: null };

export class BridgeStory {
  run: BridgeRun = bridgeDecider.initialState();
  events: BridgeEvent[] = [];
  nowMs = 1;

  told(command: BridgeCommand): this {
    const decision = bridgeDecider.decide(this.run, command);
    if ('refusal' in decision) throw new Error(`${decision.refusal.code}: ${decision.refusal.reason}`);
    for (const event of decision.events) {
      this.events.push(event);
      this.run = bridgeDecider.evolve(this.run, structuredClone(event));
    }
    return this;
  }

  refused(command: BridgeCommand): string | null {
    const decision = bridgeDecider.decide(this.run, command);
    return 'refusal' in decision ? decision.refusal.code : null;
  }

  get live(): LiveBridge {
    if (this.run.status === 'new') throw new Error('not begun');
    return this.run;
  }

  get stage(): string {
    return this.live.stage.name;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  get end(): LiveBridge['end'] {
    return this.live.end;
  }

  /** The only thing that is owed. */
  get owed() {
    const owed = [...bridgeDecider.outstanding(this.run)];
    if (owed.length !== 1 || !owed[0]) throw new Error(`owed: ${owed.map(({ key }) => key)}`);
    return owed[0];
  }

  get ask(): Ask & { facts: RequestFacts } {
    const ask = this.owed as Ask;
    return { ...ask, facts: (ask.request as { from: RequestFacts }).from };
  }

  get round(): RoundFacts {
    return (this.owed as Perform).input as RoundFacts;
  }

  begin(handler = 'm', order = ORDER): this {
    return this.told({ type: 'Begin', atMs: this.nowMs, order, handler });
  }

  pause(handler = 'm'): this {
    return this.told({ type: 'Pause', atMs: this.nowMs, handler });
  }

  performed(result: object): this {
    return this.told({ type: 'Performed', atMs: this.nowMs, key: this.owed.key, result });
  }

  asks(id: string, change: Partial<TakenRequest> = {}, files: KeptFiles = NO_FILES): this {
    return this.performed({ type: 'asked', exit: EXIT_42, request: request(id, change), files } satisfies RoundResult);
  }

  exits(exit: Exit | null, problem: { code: string; reason: string } | null = null): this {
    return this.performed({ type: 'exited', exit, files: NO_FILES, problem } satisfies RoundResult);
  }

  takes(id: string, change: Partial<TakenRequest> = {}): this {
    const order = { ...ORDER, argv: null };
    const said = { order, request: request(id, change), files: NO_FILES, answer: null };
    return this.told({ type: 'Take', atMs: this.nowMs, ...said });
  }

  admitted(): this {
    return this.told({ type: 'Admitted', atMs: this.nowMs, key: this.owed.key });
  }

  answered(reading: object = FINE): this {
    const usage = { ...NO_USAGE, inputTokens: 3, outputTokens: 4, costMicroUsd: 5 };
    return this.told({ type: 'Answered', atMs: this.nowMs, key: this.owed.key, answer: BODY, usage, reading });
  }

  failed(failure: FailureKind, more: Partial<Extract<EffectResult, { type: 'Failed' }>> = {}): this {
    const { key } = this.owed;
    return this.told({ type: 'Failed', atMs: this.nowMs, key, failure, reason: 'so', usage: NO_USAGE, ...more });
  }

  lost(): this {
    return this.told({ type: 'Lost', atMs: this.nowMs, key: this.owed.key, usage: NO_USAGE });
  }

  respond(id: string): this {
    return this.told({ type: 'Respond', atMs: this.nowMs, reply: replied(id), by: 'ann' });
  }

  /** Asked in a round and answered by the agent; the next round is on. */
  crosses(id: string, change: Partial<TakenRequest> = {}): this {
    return this.asks(id, change).admitted().answered();
  }
}
