import type {
  AuthMethod,
  ClientContext,
  InitializeResponse,
  LoadSessionResponse,
  NewSessionResponse,
  SessionConfigOption,
} from '@agentclientprotocol/sdk';
import type { FailureKind, Wanted } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { Clock } from '../../engine/ports.js';
import type { Permit, Permits } from '../approvals/permit.js';
import { copyLine } from '../cli/copy-line.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import type { AcpMessages } from './acp-messages.js';
import { optionFor, wantedIn } from './acp-permission.js';
import { type AcpUpdates, deedOf } from './acp-updates.js';

type Sdk = typeof import('@agentclientprotocol/sdk');

type Origin = { run: string } & ({ thread: string } | { problem: string });

/** One turn of an agent that speaks the protocol. */
export type AcpTurn = {
  prompt: string;
  /** The conversation to go on with, or undefined for a new one. */
  thread: string | undefined;
  /** One of another run, to begin with a copy of, or why that cannot be. */
  origin: Origin | undefined;
  cwd: string;
  model: string | undefined;
  /** It was given a key to log in with. */
  hasKey: boolean;
  permits: Permits;
  updates: AcpUpdates;
  clock: Clock;
  signal: AbortSignal;
  /** It has to wait for a person; the reason says for what. */
  asked: AbortSignal;
  onThread(thread: string): void;
  log(lines: readonly string[]): void;
};

/** What came of it. `gone`: it ended in the middle, and how it ended says why. */
export type TurnEnd =
  | { type: 'answered'; text: string }
  | { type: 'asks'; wanted: Wanted }
  | { type: 'failed'; kind: FailureKind; reason: string }
  | { type: 'gone' };

/** An agent that has not said who it is by then will not. */
const START_MS_MAX = 120_000;
/** How long one that was told to stop may take to put its conversation away. */
const CANCEL_MS_MAX = 5_000;
/** How often it is told that something was refused and that it is to go on. */
const REFUSALS_MAX = 3;
/** Many offer it; the protocol has not settled it yet. */
const FORK = 'session/fork';
const AUTH_REQUIRED = -32_000;
/** A login that needs nobody: a key it was given. */
const BY_KEY = /api[-_ ]?key/i;

/** Speaks to an agent from its first word to the end of its turn. */
export async function takeTurn(sdk: Sdk, messages: AcpMessages, turn: AcpTurn): Promise<TurnEnd> {
  const talk = new Talk(sdk, messages, turn);
  try {
    return await talk.take();
  } catch (problem) {
    if (problem instanceof Refused) return { type: 'failed', kind: problem.kind, reason: problem.message };
    if (!(problem instanceof sdk.RequestError)) return { type: 'gone' };
    const kind = problem.code === AUTH_REQUIRED ? 'login' : 'crash';
    return { type: 'failed', kind, reason: `it answered with an error: ${wordsOf(problem)}` };
  } finally {
    talk.close();
  }
}

class Refused extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

class Talk {
  private readonly sdk: Sdk;
  private readonly turn: AcpTurn;
  private readonly agent: ClientContext;
  readonly close: () => void;
  private session = '';
  private wanted: Wanted | undefined;
  private refusals: string[] = [];
  /** One after another: what was said to one may decide the next. */
  private decisions: Promise<unknown> = Promise.resolve();
  private onWanted = (): void => {};

  constructor(sdk: Sdk, messages: AcpMessages, turn: AcpTurn) {
    this.sdk = sdk;
    this.turn = turn;
    const connection = sdk
      .client({ name: 'baton' })
      .onRequest(sdk.methods.client.session.requestPermission, fields, ({ params }) => this.permission(params))
      .connect(messages.stream);
    this.agent = connection.agent;
    this.close = () => connection.close();
  }

  async take(): Promise<TurnEnd> {
    const { agent, turn } = this;
    const { methods, PROTOCOL_VERSION } = this.sdk;
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    const clientInfo = { name: 'baton', version: '1' };
    const start = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo };
    const about = await this.within(START_MS_MAX, agent.request<InitializeResponse>(methods.agent.initialize, start));
    if (!about) return { type: 'failed', kind: 'crash', reason: `it said nothing for ${START_MS_MAX / 1000} seconds` };
    if (about.protocolVersion !== PROTOCOL_VERSION) {
      const reason = `it speaks version ${about.protocolVersion} of the protocol; ${PROTOCOL_VERSION} is needed`;
      return { type: 'failed', kind: 'not-found', reason };
    }
    this.session = await this.begin(about);
    turn.onThread(this.session);
    const cancel = (): void => void this.cancel();
    turn.signal.addEventListener('abort', cancel, { once: true });
    turn.asked.addEventListener('abort', () => this.wait(turn.asked.reason as Wanted), { once: true });
    try {
      return await this.ask();
    } finally {
      turn.signal.removeEventListener('abort', cancel);
    }
  }

  private async ask(): Promise<TurnEnd> {
    let prompt = this.turn.prompt;
    for (let refusals = 0; refusals <= REFUSALS_MAX; refusals += 1) {
      const stop = await this.prompt(prompt);
      if (this.wanted) return { type: 'asks', wanted: this.wanted };
      if (stop === 'refusal') return { type: 'failed', kind: 'refused', reason: 'it refused' };
      if (stop !== 'end_turn') return { type: 'failed', kind: 'crash', reason: `it stopped: ${stop}` };
      const { answer } = this.turn.updates;
      if (answer !== undefined) return { type: 'answered', text: answer };
      if (this.refusals.length === 0) return { type: 'failed', kind: 'crash', reason: 'it ended without an answer' };
      prompt = `That was refused:\n${this.refusals.join('\n')}\nGo on without it, and end as you were told to.`;
    }
    return {
      type: 'failed',
      kind: 'refused',
      reason: `it was refused something ${REFUSALS_MAX} times and went no further`,
    };
  }

  /** Undefined when it has to wait for a person and was told to stop. */
  private async prompt(words: string): Promise<string | undefined> {
    const { turn, session: sessionId } = this;
    turn.log(turn.updates.forgetAnswer());
    this.refusals = [];
    const ended = this.agent.request(this.sdk.methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: words }],
    });
    const waits = new Promise<undefined>((resolve) => {
      this.onWanted = () => resolve(undefined);
    });
    const response = await Promise.race([ended, waits]);
    if (!response)
      await this.within(
        CANCEL_MS_MAX,
        ended.catch(() => undefined),
      );
    turn.log(turn.updates.end());
    return response?.stopReason;
  }

  /** The same conversation where the agent still has it, else a new one. */
  private async begin(about: InitializeResponse): Promise<string> {
    const { agent, turn } = this;
    const { session } = this.sdk.methods.agent;
    const at = { cwd: turn.cwd, mcpServers: [] };
    const { loadSession, sessionCapabilities } = about.agentCapabilities ?? {};
    if (turn.thread !== undefined && (loadSession || sessionCapabilities?.resume)) {
      const again = sessionCapabilities?.resume ? session.resume : session.load;
      const known = { ...at, sessionId: turn.thread };
      const found = await this.known(about, () => agent.request<LoadSessionResponse>(again, known));
      if (found) return this.withModel(turn.thread, found.configOptions);
    }
    const forked = turn.origin === undefined ? undefined : await this.fork(about, turn.origin);
    if (forked) return this.withModel(forked.sessionId, forked.configOptions);
    const begun = await this.loggedIn(about, () => agent.request<NewSessionResponse>(session.new, at));
    return this.withModel(begun.sessionId, begun.configOptions);
  }

  private async fork(about: InitializeResponse, origin: Origin): Promise<NewSessionResponse | undefined> {
    const { agent, turn } = this;
    if ('problem' in origin) return void turn.log([copyLine(origin)]);
    const { run, thread: sessionId } = origin;
    const from = { sessionId, cwd: turn.cwd, mcpServers: [] };
    const offers = 'fork' in (about.agentCapabilities?.sessionCapabilities ?? {});
    if (!offers) return void turn.log([copyLine({ run, problem: 'it makes no copies' })]);
    const made = await this.known(about, () => agent.request<NewSessionResponse>(FORK, from));
    turn.log([copyLine(made ? { run } : { run, problem: 'it does not know that any more' })]);
    return made;
  }

  /** Undefined when it does not know the conversation it is asked about. */
  private known<Result>(about: InitializeResponse, call: () => Promise<Result>): Promise<Result | undefined> {
    return this.loggedIn(about, call).catch((problem) => {
      if (!(problem instanceof this.sdk.RequestError)) throw problem;
      this.turn.log([`does not know the conversation any more: ${oneLine(wordsOf(problem))}`]);
      return undefined;
    });
  }

  private async loggedIn<Result>(about: InitializeResponse, call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (problem) {
      if (!(problem instanceof this.sdk.RequestError) || problem.code !== AUTH_REQUIRED) throw problem;
      const isByKey = ({ id, name }: AuthMethod): boolean => BY_KEY.test(`${id} ${name}`);
      const method = this.turn.hasKey && about.authMethods?.find(isByKey);
      const ways = about.authMethods?.map(({ name, description }) => description || name).join('; ');
      if (!method) throw new Refused('login', `it is not logged in: ${ways || wordsOf(problem)}`);
      await this.agent.request(this.sdk.methods.agent.authenticate, { methodId: method.id });
      return call();
    }
  }

  private async withModel(sessionId: string, offered: readonly SessionConfigOption[] | null = []): Promise<string> {
    const { model } = this.turn;
    if (model === undefined) return sessionId;
    const option = offered?.find(({ category }) => category === 'model');
    if (!option) throw new Refused('refused', `it lets nobody choose its model; register it without --model`);
    const choice = { sessionId, configId: option.id, value: model };
    await this.agent.request(this.sdk.methods.agent.session.setConfigOption, choice);
    return sessionId;
  }

  private permission(
    params: Fields,
  ): Promise<{ outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } }> {
    const decided = this.decisions.then(() => this.decide(params));
    this.decisions = decided.catch(() => {});
    return decided.then((optionId) => ({
      outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    }));
  }

  /** The option to choose; undefined cancels. */
  private async decide({ toolCall, options }: Fields): Promise<string | undefined> {
    const { turn } = this;
    if (this.wanted) return undefined;
    const call = turn.updates.callOf(fields(toolCall));
    const permit = await turn.permits.permit(wantedIn(call, turn.cwd));
    turn.log([`asks leave: ${deedOf(call)}`, `  ${lineOf(permit)}`]);
    if (permit.decision === 'ask') {
      this.wait(permit.wanted);
      return undefined;
    }
    if (permit.decision === 'allow') return optionFor(options, 'allow') ?? this.refuse(options, call, NO_OPTION);
    return this.refuse(options, call, permit.reason);
  }

  private wait(wanted: Wanted): void {
    this.wanted ??= wanted;
    void this.cancel();
    this.onWanted();
  }

  private refuse(options: unknown, call: Fields, reason: string): string | undefined {
    this.turn.log(this.turn.updates.forgetAnswer());
    this.refusals.push(`${deedOf(call)}: ${reason}`);
    return optionFor(options, 'reject');
  }

  private cancel(): Promise<void> {
    const { cancel } = this.sdk.methods.agent.session;
    return this.agent.notify(cancel, { sessionId: this.session }).catch(() => {});
  }

  private within<Value>(delayMs: number, what: Promise<Value>): Promise<Value | undefined> {
    let forget = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      forget = this.turn.clock.after(delayMs, () => resolve(undefined));
    });
    return Promise.race([what, late]).finally(forget);
  }
}

function lineOf(permit: Permit): string {
  switch (permit.decision) {
    case 'allow':
      return 'allowed';
    case 'deny':
      return `refused: ${oneLine(permit.reason)}`;
    case 'ask':
      return 'waits for a person';
    default:
      return unreachable(permit);
  }
}

const NO_OPTION = 'it may be done once, and the agent offers no such answer';

/** An error's own words, with what it says beside them. */
function wordsOf({ message, data }: { message: string; data?: unknown }): string {
  const { details, message: more } = fields(data);
  const said = typeof data === 'string' ? data : text(details) || text(more) || text(list(fields(data)._errors)[0]);
  return said === '' || said === message ? message : `${message}: ${said}`;
}
