/** Tells the life of a session in tests: the world is played by the test, one thing after the other. */
import { type Effect, type EffectResult, type FailureKind, NO_USAGE, type Usage } from '../kernel/effect.js';
import { sessionDecider } from './session-decider.js';
import type {
  ApprovalDecision,
  AskName,
  CallEnd,
  CallFacts,
  CallJudgement,
  CallKind,
  Said,
  SessionCommand,
  SessionEvent,
  SessionOrder,
  TurnReading,
} from './session-messages.js';
import type { LiveSession, SessionRun } from './session-state.js';

export const BODY = { sha256: 'ab', bytes: 2 };
export const ORDER: SessionOrder = {
  ...{ cwd: '/w', model: 'm', agent: 'model', instructions: null, approval: 'untrusted', history: 'full' },
  sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
  ...{
    contextWindow: 1_000,
    limits: {},
    project: 'p',
    classification: null,
    tools: null,
    parent: null,
    repository: null,
  },
};
const SAFE: CallFacts = { holds: true, isKnownSafe: true, rule: null, reason: null, wantsOutside: false };
const FIGURES = { input: 1, cachedInput: 0, output: 1, reasoning: 0 };

export const text = (name: string) => ({ sha256: name, bytes: 1 });

/** Begun at once. */
export function safe(callId: string, kind: CallKind = 'exec', facts: Partial<CallFacts> = {}): CallJudgement {
  return {
    ...{ callId, type: 'deed', kind, plan: text(`plan of ${callId}`), shown: text(`shown of ${callId}`) },
    hashes: { inside: `${callId} inside`, outside: `${callId} outside` },
    ...{ title: callId, facts: { ...SAFE, ...facts } },
  };
}

/** Put before a person. */
export const risky = (callId: string, kind: CallKind = 'exec'): CallJudgement =>
  safe(callId, kind, { isKnownSafe: false });
export const answer = (callId: string): CallJudgement => {
  return { callId, type: 'answer', output: { words: `answer to ${callId}` }, plan: null };
};

export function response(calls: number, change: Partial<Extract<TurnReading, { type: 'response' }>> = {}): TurnReading {
  const message: Said = { type: 'message', itemId: 'i', said: text('words') };
  const asked = Array.from({ length: calls }, (_, index): Said => {
    return { type: 'call', callId: `theirs-${index + 1}`, tool: 'exec_command', custom: false };
  });
  return {
    ...{ type: 'response', responseId: 'resp', output: text('output'), said: calls > 0 ? asked : [message] },
    ...{ callsLeftOut: 0, figures: FIGURES, isCut: false, ...change },
  };
}

export const endOf = (name: string, change: Partial<CallEnd> = {}): CallEnd => {
  return {
    said: text(name),
    output: text(`output of ${name}`),
    success: true,
    isDenied: false,
    activeMs: 1,
    ...change,
  };
};

/** The same session, and whoever changes it while it decides fails. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map || value instanceof Set) {
    const never = () => {
      throw new Error('decide changes the state');
    };
    for (const one of value.values()) frozen(one);
    Object.assign(value, { set: never, add: never, delete: never, clear: never });
  }
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

export class SessionStory {
  run: SessionRun = sessionDecider.initialState();
  events: SessionEvent[] = [];
  nowMs = 1_000;
  private subs = 0;
  private responses = 0;

  told(command: SessionCommand): this {
    const decision = sessionDecider.decide(frozen(structuredClone(this.run)), frozen(structuredClone(command)));
    if ('refusal' in decision) throw new Error(`${decision.refusal.code}: ${decision.refusal.reason}`);
    for (const event of decision.events) {
      this.events.push(event);
      this.run = sessionDecider.evolve(this.run, structuredClone(event));
    }
    return this;
  }

  refused(command: SessionCommand): string | null {
    const decision = sessionDecider.decide(frozen(structuredClone(this.run)), command);
    return 'refusal' in decision ? decision.refusal.code : null;
  }

  get live(): LiveSession {
    if (this.run.status === 'new') throw new Error('not set up');
    return this.run;
  }

  get stage(): string {
    return this.live.task?.stage.name ?? this.live.status;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  get owed(): Effect[] {
    return [...sessionDecider.outstanding(this.run)];
  }

  get keys(): string[] {
    return this.owed.map(({ key }) => key);
  }

  get row() {
    return sessionDecider.summary(this.run);
  }

  /** What was decided since, by type. */
  since(tell: (story: this) => unknown): string[] {
    const before = this.events.length;
    tell(this);
    return this.types.slice(before);
  }

  last<Type extends SessionEvent['type']>(type: Type): Extract<SessionEvent, { type: Type }> {
    const found = this.events.findLast((event) => event.type === type);
    if (!found) throw new Error(`no ${type}`);
    return found as Extract<SessionEvent, { type: Type }>;
  }

  configure(change: Partial<SessionOrder> = {}, used: Usage = NO_USAGE): this {
    const order = { ...ORDER, ...change };
    const called = { used, ...this.openAsk() };
    return this.told({ type: 'Configure', sub: this.sub(), atMs: this.nowMs, order, thread: null, ...called });
  }

  input(from: string | null = null, used: Usage = NO_USAGE): this {
    return this.told(this.inputCommand(from, used));
  }

  inputCommand(from: string | null = null, used: Usage = NO_USAGE): SessionCommand {
    const sub = this.sub();
    const said = { items: text(`items of ${sub}`), entry: text(`entry of ${sub}`), title: sub };
    return { type: 'Input', sub, atMs: this.nowMs, ...said, from, used, ...this.openAsk() };
  }

  interrupt(used: Usage = NO_USAGE, ask = this.openAsk()): this {
    return this.told({ type: 'Interrupt', sub: this.sub(), atMs: this.nowMs, used, ...ask });
  }

  shutdown(): this {
    return this.told({ type: 'Shutdown', sub: this.sub(), atMs: this.nowMs, used: NO_USAGE });
  }

  compact(): this {
    return this.told({ type: 'Compact', sub: this.sub(), atMs: this.nowMs });
  }

  approve(callId: string, decision: ApprovalDecision = 'approved', kind: 'exec' | 'patch' = 'exec'): this {
    this.told(this.approval(callId, decision, kind));
    return this.owed.some(({ key }) => key.startsWith('begin-')) ? this.begins() : this;
  }

  /** Whoever owns the session begins what was allowed. */
  begins(): this {
    const begin = this.owed.find(({ key }) => key.startsWith('begin-'));
    if (!begin) throw new Error(`owed: ${this.keys}`);
    return this.told({ type: 'Woke', atMs: this.nowMs, key: begin.key });
  }

  approval(callId: string, decision: ApprovalDecision = 'approved', kind: 'exec' | 'patch' = 'exec'): SessionCommand {
    const asked = { sub: this.sub(), atMs: this.nowMs, used: NO_USAGE };
    return { type: 'Approve', ...asked, kind, callId, decision, by: 'ann', guidance: null };
  }

  /** The model answers with so many calls; none is its last word. */
  answers(calls: number, change: Parameters<typeof response>[1] = {}, usage: Usage = NO_USAGE): this {
    this.responses += 1;
    return this.reads(response(calls, { responseId: `resp-${this.responses}`, ...change }), usage);
  }

  reads(reading: TurnReading, usage: Usage = NO_USAGE): this {
    return this.told({ type: 'Answered', atMs: this.nowMs, key: this.onlyKey(), answer: BODY, usage, reading });
  }

  fails(failure: FailureKind, more: Partial<Extract<EffectResult, { type: 'Failed' }>> = {}): this {
    const key = this.onlyKey();
    return this.told({ type: 'Failed', atMs: this.nowMs, key, failure, reason: 'so', usage: NO_USAGE, ...more });
  }

  wakes(): this {
    const [wake] = this.owed;
    if (wake?.type !== 'Wake') throw new Error('nothing is waited for');
    this.nowMs = wake.atMs;
    return this.told({ type: 'Woke', atMs: this.nowMs, key: wake.key });
  }

  judges(...judgements: CallJudgement[]): this {
    return this.told({ type: 'Performed', atMs: this.nowMs, key: this.onlyKey(), result: { judgements } });
  }

  ends(call: string, change: Partial<CallEnd> = {}): this {
    return this.told({ type: 'Performed', atMs: this.nowMs, key: call, result: { end: endOf(call, change) } });
  }

  loses(key: string, usage: Usage = NO_USAGE): this {
    return this.told({ type: 'Lost', atMs: this.nowMs, key, usage });
  }

  /** As whoever calls it off knows it. */
  openAsk(): { ask?: AskName } {
    const task = this.run.status === 'new' ? null : this.run.task;
    return task ? { ask: { turn: task.turn, attempt: task.attempt } } : {};
  }

  private onlyKey(): string {
    const [key, more] = this.keys;
    if (key === undefined || more !== undefined) throw new Error(`owed: ${this.keys}`);
    return key;
  }

  private sub(): string {
    this.subs += 1;
    return `s${this.subs}`;
  }
}
