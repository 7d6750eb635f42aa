import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import type { Engine } from '../engine/engine.js';
import type { HandoffQueue } from '../engine/handoffs/handoff-queue.js';
import type { InboxService } from '../engine/inbox/inbox-service.js';
import type { JobObject } from '../engine/job/job-object.js';
import type { JobService } from '../engine/job/job-service.js';
import type { LandingService } from '../engine/job/landing-service.js';
import type { HandedIn } from '../engine/job/preview-answer.js';
import type { RuleService } from '../engine/rules/rule-service.js';
import type { Parsed } from './command.js';
import type { Io } from './io.js';
import type { Home } from './opened-home.js';

/** A home with an engine on it. Made by wiring; commands only use it. */
export type Baton = Home & {
  engine: Engine;
  jobs: JobService;
  registerAgent(registration: AgentRegistration, actor: string): Promise<void>;
  agents(): Promise<readonly AgentRegistration[]>;
  /** Command-line agents that can be asked without being registered, the preferred one first. */
  readyAgents(): Promise<readonly { id: string; login: 'key' | 'own' }[]>;
  /** Registered or built in. */
  knowsAgent(id: string): Promise<boolean>;
  /** Whose limits and whose loss concern an agent. */
  loginOf(agent: string): Promise<string>;
  landings: LandingService;
  inbox: InboxService;
  rules: RuleService;
  diff(run: string): Promise<string>;
  /** The job as an answer by hand would leave it; `checks` when that depends on checks that pass. */
  previewAnswer(run: string, answer: Omit<HandedIn, 'atMs'>): Promise<{ object: JobObject; checks: boolean }>;
  /** Frees what an ended job takes on the disk; `kept` says what stays and why. */
  cleanUp(run: string): Promise<{ removed: boolean; kept: string | null }>;
  /** Where what an agent prints while it works is kept, once it prints something. */
  logFile(of: { run: string; handoff: string; attempt: number }): string;
  /** Where work waits for whoever pulls it. */
  queue: HandoffQueue;
  /** What keeps agents, setup and checks apart from this machine; `setup` is what the user leaves to it. */
  guard(): Promise<{
    mode: string;
    holds: boolean;
    why: string | null;
    setup: 'workspace-write' | 'danger-full-access';
  }>;
  /** The text of a body. */
  body(sha256: string): Promise<string>;
};

/** `drives`: starts the engine, so that this process can own runs. `handoffsMax`: asks so many times and no more. */
export type OpenBaton = (how?: { drives?: boolean; claimsAny?: boolean; handoffsMax?: number }) => Promise<Baton>;
export type BatonCommand = (parsed: Parsed, io: Io, open: OpenBaton) => Promise<number>;

/** Closed whatever happens inside. */
export async function inBaton<T>(
  open: OpenBaton,
  how: Parameters<OpenBaton>[0],
  work: (baton: Baton) => Promise<T>,
): Promise<T> {
  const baton = await open(how);
  try {
    return await work(baton);
  } finally {
    await baton.close();
  }
}
