import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SessionServer } from '../../src/contracts/generated/types/config.js';
import type { BodyRef } from '../../src/core/kernel/effect.js';
import type { KnownRule } from '../../src/core/policy/rule.js';
import { type CallRuling, ruleOnCall } from '../../src/core/session/rule-on-call.js';
import {
  type DeedFacts,
  DO_DEED,
  JUDGE_DEED,
  type JudgeFacts,
  SETTLE_DEED,
} from '../../src/core/session/session-effects.js';
import type { CallEnd, CallJudgement, Told } from '../../src/core/session/session-messages.js';
import type { SealedBody } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { LiveText } from '../../src/engine/session/live-text.js';
import { readTurn } from '../../src/engine/session/read-turn.js';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';
import { createSessionDeeds } from '../../src/session/create-session-deeds.js';
import { McpServers } from '../../src/session/mcp/mcp-servers.js';
import type { SessionHands } from '../../src/session/session-hands.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { Confinements } from '../../src/workspace/confinement.js';
import { fileTable } from '../faults/processes/tables.js';

type Policy = DeedFacts['policy'];
export type Deed = Extract<CallJudgement, { type: 'deed' }>;
/** What came of a call, with its bodies read. */
// biome-ignore lint/suspicious/noExplicitAny: each kind says something else
export type Seen = Pick<CallEnd, 'success' | 'isDenied'> & { said: any; output: string };

const PATH = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';
const CANARY = 'canary-of-the-environment-4711';

/** The hands of a session on a real machine: a folder, Baton's own beside it, real processes and the real sandbox. */
export class SessionStage {
  /** Not in the folder for temporary files, which a sandbox does not show. */
  readonly root = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.stage-')));
  readonly cwd = path.join(this.root, 'project');
  readonly home = path.join(this.root, 'home');
  readonly beside = path.join(this.root, 'beside');
  readonly abort = new AbortController();
  readonly live = new LiveText();
  readonly rows = fileTable(path.join(this.root, 'rows'));
  readonly held = { run: `session-${randomUUID().slice(0, 8)}`, epoch: 1 };
  readonly secrets = [CANARY];
  rules: KnownRule[] = [];
  /** What becomes of looking up the rules. */
  failing: Error | undefined;
  servers: Record<string, SessionServer> = {};
  sandboxMode: 'bwrap' | 'none' = 'bwrap';
  callMsMax = 20_000;
  /** Is told when a command is about to be started, its folder looked at. */
  onStart = (): void => {};
  policy: Policy = {
    cwd: this.cwd,
    approval: 'on-request',
    sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
    tools: null,
    project: 'default',
    agent: 'model',
  };
  private readonly bodies = new Map<string, Uint8Array>();
  private pool: McpServers | undefined;

  constructor() {
    for (const folder of [this.cwd, this.home, this.beside]) mkdirSync(folder);
    writeFileSync(path.join(this.home, 'token'), 'of-baton\n');
  }

  set(sandbox: Partial<Policy['sandbox']>, approval: Policy['approval'] = this.policy.approval): this {
    this.policy = { ...this.policy, approval, sandbox: { ...this.policy.sandbox, ...sandbox } };
    return this;
  }

  write(name: string, text: string | Uint8Array, mode?: number): string {
    const file = path.resolve(this.cwd, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  }

  read(name: string): string | undefined {
    const file = path.resolve(this.cwd, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  get hands(): SessionHands {
    const gate = { table: this.rows, worker: 'worker-1', scope: 'session-test', oneMachine: true };
    const environment = { PATH, LANG: 'C.UTF-8', PLAIN: 'seen', SOME_TOKEN: CANARY, BATON_TOKEN: CANARY };
    this.pool ??= new McpServers({
      ...{ gate, clock: nodeClock, environment, configured: async () => this.servers, callMsMax: this.callMsMax },
    });
    return {
      ...{ gate, environment, home: this.home, live: this.live, hasher: nodeHasher },
      clock: {
        ...nodeClock,
        after: (delayMs, call) => {
          this.onStart();
          return nodeClock.after(delayMs, call);
        },
      },
      body: async (sha256) => this.bodies.get(sha256),
      scrub: createScrub(this.secrets),
      confinements: new Confinements(this.home, {
        choose: () => chooseSandbox(this.sandboxMode, PATH),
        networkOf: async () => [],
        setupRights: async () => 'workspace-write',
        forbiddenScope: async () => 'read-only',
      }),
      rulesFor: async () => {
        if (this.failing) throw this.failing;
        return this.rules;
      },
      shell: createShellReader,
      servers: this.pool,
      log: () => {},
    };
  }

  /** Judges calls of one response, as a model would write them. */
  async judge(...items: readonly object[]): Promise<CallJudgement[]> {
    const common = { type: 'function_call', name: 'exec_command' };
    const output = items.map((item, index) => ({ ...common, call_id: `m-${index}`, ...item }));
    const read = readTurn(this.hands, { turn: 1, attempt: 1 }, JSON.stringify({ response_id: 'r', output }));
    if (read.reading.type !== 'response') throw new Error('that is no response');
    this.store(read.bodies);
    const calls = read.reading.said.flatMap((one, index) => {
      if (one.type !== 'call') return [];
      const { callId, tool, custom } = one;
      return [{ id: `call-${index + 1}`, callId, tool, custom }];
    });
    const facts: JudgeFacts = { task: 'task-1', output: read.reading.output, policy: this.policy, calls };
    const effect = { type: 'Perform', key: 'judge-1', deed: JUDGE_DEED, input: facts } as const;
    const { result, bodies = [] } = await createSessionDeeds(this.hands).perform(this.held, effect, this.abort.signal);
    this.store(bodies);
    return (result as { judgements: CallJudgement[] }).judgements;
  }

  /** One call of a tool. */
  async call(name: string, given: object | string): Promise<CallJudgement> {
    const [judged] = await this.judge({ name, arguments: typeof given === 'string' ? given : JSON.stringify(given) });
    if (!judged) throw new Error('nothing was judged');
    return judged;
  }

  async deed(name: string, given: object): Promise<Deed> {
    const judged = await this.call(name, given);
    if (judged.type !== 'deed') throw new Error(`answered: ${await this.told(judged.output)}`);
    return judged;
  }

  /** What the model is told of a call that is not done. */
  async answered(name: string, given: object | string): Promise<string> {
    const judged = await this.call(name, given);
    if (judged.type !== 'answer') throw new Error('it would be done');
    return this.told(judged.output);
  }

  ruling({ kind, facts }: Deed): CallRuling {
    return ruleOnCall(this.policy, kind, facts);
  }

  /** Does it as if it had been allowed, on the side that the policy says. */
  async perform(judged: Deed, more: Partial<DeedFacts> = {}): Promise<Seen> {
    const ruling = this.ruling(judged);
    const where = more.where ?? ('where' in ruling ? ruling.where : 'inside');
    const { kind } = judged;
    const facts: DeedFacts = { ...this.factsOf(judged, where), ...more };
    const effect = { type: 'Perform', key: judged.callId, deed: DO_DEED[kind], input: facts } as const;
    const { result, bodies = [] } = await createSessionDeeds(this.hands).perform(this.held, effect, this.abort.signal);
    this.store(bodies);
    const { said, output, success, isDenied } = (result as { end: CallEnd }).end;
    return { success, isDenied, said: JSON.parse(this.text(said)), output: await this.told(output) };
  }

  /** Ends it as a patch that was called off. */
  async settle(judged: Deed): Promise<void> {
    const effect = {
      type: 'Perform',
      key: 'settle',
      deed: SETTLE_DEED,
      input: this.factsOf(judged, 'inside'),
    } as const;
    await createSessionDeeds(this.hands).perform(this.held, effect, this.abort.signal);
  }

  async run(command: string | readonly string[], more: object = {}): Promise<Seen> {
    return this.perform(await this.deed('exec_command', { command, ...more }));
  }

  async told(output: Told): Promise<string> {
    return 'words' in output ? output.words : this.text(output);
  }

  text({ sha256 }: BodyRef): string {
    const bytes = this.bodies.get(sha256);
    if (!bytes) throw new Error(`there is no body ${sha256}`);
    return new TextDecoder().decode(bytes);
  }

  /** Changes a body in place, as nobody can. */
  tamper({ sha256 }: BodyRef, text: string): void {
    this.bodies.set(sha256, new TextEncoder().encode(text));
  }

  async close(): Promise<void> {
    await this.pool?.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  private factsOf({ callId: call, kind, plan, hashes }: Deed, where: DeedFacts['where']): DeedFacts {
    return { task: 'task-1', call, kind, plan, where, hash: hashes[where], policy: this.policy };
  }

  private store(bodies: readonly SealedBody[]): void {
    for (const { sha256, bytes } of bodies) this.bodies.set(sha256, bytes);
  }
}
