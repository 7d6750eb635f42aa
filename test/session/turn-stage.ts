import { onTestFinished } from 'vitest';
import type { AgentSpec } from '../../src/agents/agent-spec.js';
import type { MeteringOptions } from '../../src/agents/metering/metering.js';
import { sessionTurnAdapter } from '../../src/agents/session/session-turn-adapter.js';
import { type Ask, type BodyRef, NO_USAGE } from '../../src/core/kernel/effect.js';
import { sessionDecider } from '../../src/core/session/session-decider.js';
import type { TurnFacts, TurnReadingFacts } from '../../src/core/session/session-effects.js';
import type {
  SessionCommand,
  SessionEvent,
  SessionOrder,
  TurnReading,
} from '../../src/core/session/session-messages.js';
import type { LiveSession, SessionRun } from '../../src/core/session/session-state.js';
import type { AskOutcome, Clock, SealedBody } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { LiveText } from '../../src/engine/session/live-text.js';
import { type TurnRequest, turnRequest } from '../../src/engine/session/read-thread.js';
import { readTurn } from '../../src/engine/session/read-turn.js';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { type ModelScenario, type ModelServer, type Step, startModelServer } from '../../src/testing/index.js';
import { testMetering } from '../agents/test-metering.js';
import { nodeHasher } from '../simulation/node-hasher.js';

export const RUN = 'session-1';
export const SECRET = 'hunter2-hunter2-hunter2';
const TOOL = { type: 'function', name: 'exec_command', parameters: { type: 'object' } };

export const ORDER: SessionOrder = {
  repository: null,
  ...{ cwd: '/home/me/app', model: 'scripted', agent: 'model', instructions: null, approval: 'on-request' },
  sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
  ...{ history: 'full', contextWindow: 100_000, limits: {}, project: 'app', classification: null, tools: null },
  parent: null,
};

type Options = Partial<MeteringOptions> & { order?: Partial<SessionOrder>; spec?: AgentSpec; url?: string };

/** One session on its real machine, with a scripted model behind the real adapter; no call is done. */
export class TurnStage {
  readonly server: ModelServer;
  readonly live = new LiveText();
  readonly said: WireEvent[] = [];
  readonly kept: string[] = [];
  readonly bodies = new Map<string, Uint8Array>();
  readonly seal = { scrub: createScrub([SECRET]), hasher: nodeHasher };
  /** What was sent last. */
  sent: TurnRequest | undefined;
  clock: Clock = nodeClock;
  state: SessionRun = sessionDecider.initialState();
  private readonly options: Options;
  private time = 1_000;

  private constructor(server: ModelServer, options: Options) {
    this.server = server;
    this.options = options;
    this.live.listen(RUN, (event) => this.said.push(event));
    const order = { ...ORDER, ...options.order };
    this.tell({ type: 'Configure', sub: 'c', order, thread: null, atMs: this.now(), used: NO_USAGE });
  }

  static async open(scenario: ModelScenario | readonly Step[], options: Options = {}): Promise<TurnStage> {
    const server = await startModelServer('turns' in scenario ? scenario : { turns: [{ steps: scenario }] });
    onTestFinished(() => server.close());
    return new TurnStage(server, options);
  }

  get session(): LiveSession {
    if (this.state.status === 'new') throw new Error('not set up');
    return this.state;
  }

  get facts(): TurnFacts {
    const [effect] = sessionDecider.outstanding(this.state);
    return (effect as Ask & { request: { from: TurnFacts } }).request.from;
  }

  keep(value: unknown): BodyRef {
    const bytes = new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
    const sha256 = nodeHasher.sha256(bytes);
    this.bodies.set(sha256, bytes);
    return { sha256, bytes: bytes.length };
  }

  tell(command: SessionCommand): readonly SessionEvent[] {
    const decision = sessionDecider.decide(this.state, command);
    if ('refusal' in decision) throw new Error(decision.refusal.reason);
    for (const event of decision.events) this.state = sessionDecider.evolve(this.state, event);
    return decision.events;
  }

  input(text: string, sub = 's1', from: string | null = null): void {
    const items = this.keep([{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]);
    this.tell({
      ...{ type: 'Input', sub, items, title: text, entry: this.keep({ text }), from, used: NO_USAGE },
      atMs: this.now(),
    });
  }

  request(facts: TurnFacts = this.facts): Promise<TurnRequest> {
    const sources = {
      state: async () => this.session,
      body: async (sha256: string) => this.bodies.get(sha256),
      tools: async () => [TOOL],
    };
    return turnRequest(sources, RUN, facts);
  }

  /** Asks as the engine does, and nothing more. */
  ask(signal = new AbortController().signal): Promise<AskOutcome> {
    const { order: _, spec, url = `${this.server.url}/v1`, ...options } = this.options;
    const keep: MeteringOptions['keep'] = (_of, { thread }) => {
      if (thread !== undefined) this.kept.push(thread);
    };
    const metering = testMetering({ environment: { OPENAI_API_KEY: 'sk-test' }, keep, ...options });
    onTestFinished(() => metering.close());
    const [effect] = sessionDecider.outstanding(this.state);
    const { facts } = this;
    const request = async (_run: string, wanted: TurnFacts) => {
      this.sent = await this.request(wanted);
      return this.sent;
    };
    const model: AgentSpec = { adapter: 'model', wire: 'responses', model: 'of the registration', baseUrl: url };
    const { live, seal, clock } = this;
    const sessions = { request, live, scrub: seal.scrub };
    const adapter = sessionTurnAdapter(spec ?? model, { metering, clock, sessions });
    return adapter({ run: RUN, epoch: 1 }, effect as Ask, new TextEncoder().encode(JSON.stringify(facts)), signal);
  }

  /** One turn: what the model answered is read, and the machine goes on from it. */
  async turn(): Promise<{ reading: TurnReading; events: readonly SessionEvent[] }> {
    const [effect] = sessionDecider.outstanding(this.state);
    const outcome = await this.ask();
    if (outcome.type !== 'answered') throw new Error(JSON.stringify(outcome));
    const { key, reading: asked } = effect as Ask & { reading: { from: TurnReadingFacts } };
    const { reading, bodies } = readTurn(this.seal, asked.from, outcome.text);
    this.keepAll(bodies);
    const answer = this.keep(outcome.text);
    const { usage } = outcome;
    const events = this.tell({ type: 'Answered', atMs: this.now(), key, answer, usage, reading });
    return { reading, events };
  }

  /** Every call of the response is answered with these words. */
  answerCalls(words: string): readonly SessionEvent[] {
    const { task } = this.session;
    const judgements = [...(task?.calls.keys() ?? [])].map((callId) => {
      return { callId, type: 'answer', output: { words: `${words} ${callId}` }, plan: null };
    });
    return this.tell({ type: 'Performed', atMs: this.now(), key: `judge-${task?.turn}`, result: { judgements } });
  }

  text(ref: BodyRef): string {
    return new TextDecoder().decode(this.bodies.get(ref.sha256));
  }

  now(): number {
    this.time += 1;
    return this.time;
  }

  private keepAll(bodies: readonly SealedBody[]): void {
    for (const { sha256, bytes } of bodies) this.bodies.set(sha256, bytes);
  }
}
