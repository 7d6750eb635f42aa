import type { JobObject } from '../contracts/api/job-shapes.js';
import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { KeptNotifier } from '../core/system/notifier.js';
import type { TokenService } from './access/token-service.js';
import type { BridgeService } from './bridge/bridge-service.js';
import type { Desk } from './desk.js';
import type { Engine } from './engine.js';
import type { EnvelopeService } from './envelope/envelope-service.js';
import type { HandoffQueue } from './handoffs/handoff-queue.js';
import type { InboxService } from './inbox/inbox-service.js';
import type { JobOptions } from './job/job-options.js';
import type { JobService } from './job/job-service.js';
import type { LandingService } from './job/landing-service.js';
import type { HandedIn } from './job/preview-answer.js';
import type { Home } from './opened-home.js';
import type { OperatorService } from './operator/operator-service.js';
import type { Ports } from './ports.js';
import type { RuleService } from './rules/rule-service.js';
import type { Origin } from './seal.js';
import type { SessionService } from './session/session-service.js';
import type { NotifierService } from './system/notifier-service.js';

/** A home with an engine on it. Made by wiring; commands and routes only use it. */
export type Baton = Home & {
  engine: Engine;
  jobs: JobService;
  registerAgent(registration: AgentRegistration, actor: string, key?: Origin['key']): Promise<void>;
  agents(): Promise<readonly AgentRegistration[]>;
  /** Command-line agents that can be asked without being registered, the preferred one first. */
  readyAgents(): Promise<readonly { id: string; login: 'key' | 'own' }[]>;
  /** Registered or built in. */
  knowsAgent(id: string): Promise<boolean>;
  /**
   * What was said about a job, over what the repository, the user and safety say. `untrusted` is a project file that
   * nobody has agreed to and that was not used.
   */
  withDefaults(said: JobOptions, cwd: string | null): Promise<{ options: JobOptions; untrusted: string | null }>;
  /** Whose limits and whose loss concern an agent. */
  loginOf(agent: string): Promise<string>;
  landings: LandingService;
  operator: OperatorService;
  envelopes: EnvelopeService;
  bridges: BridgeService;
  sessions: SessionService;
  /**
   * Starts of `bridge run` in this process: what each may start, whole, as events hold neither secrets nor long
   * commands, and where its output goes.
   */
  handlers: Map<string, { argv: readonly string[]; output: { out: number; err: number } }>;
  inbox: InboxService;
  rules: RuleService;
  tokens: TokenService;
  notifiers: NotifierService;
  /** Tells it once, now; throws when it cannot be told. */
  tryNotifier(notifier: KeptNotifier): Promise<void>;
  /** Whether whoever made a job may not answer for it. */
  fourEyes(): Promise<boolean>;
  /** As a patch; the whole work of the job unless commits of it are named. */
  diff(run: string, between?: { from: string; to: string }): Promise<string>;
  /** The job as an answer by hand would leave it; `checks` when that depends on checks that pass. */
  previewAnswer(run: string, answer: Omit<HandedIn, 'atMs'>): Promise<{ object: JobObject; checks: boolean }>;
  /** Frees what an ended job takes on the disk; `kept` says what stays and why. */
  cleanUp(run: string): Promise<{ removed: boolean; kept: string | null }>;
  /** Where what an agent prints while it works is kept, once it prints something. */
  logFile(of: { run: string; handoff: string; attempt: number }): string;
  /** A piece of that, from a byte on; `next` is the byte behind it. */
  readLog(
    of: { run: string; handoff: string; attempt: number },
    after: number,
  ): Promise<{ text: string; next: number }>;
  /** The text of a file of the workspace, without secrets. Whoever asks knows that it is evidence. */
  evidence(run: string, file: string): Promise<string>;
  /** Where work waits for whoever pulls it. */
  queue: HandoffQueue;
  /** What keeps agents, setup and checks apart from this machine; `setup` is what the user leaves to it. */
  guard(): Promise<{
    mode: string;
    holds: boolean;
    why: string | null;
    setup: 'workspace-write' | 'danger-full-access';
  }>;
  /** Where what the engine has to say goes from now on. */
  logTo(log: Ports['log']): void;
  /** Null: it is opened in this process. */
  served: null;
  act: Desk['act'];
  handIn: Desk['handIn'];
  history: Desk['history'];
  manifest: Desk['manifest'];
  body: Desk['body'];
  budgets: Desk['budgets'];
  setBudget: Desk['setBudget'];
};
