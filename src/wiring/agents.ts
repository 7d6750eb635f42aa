/** Agents as an engine asks them: judged, metered, confined. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { jobBudget } from '../agents/metering/job-budget.js';
import type { Attempt, Metering } from '../agents/metering/metering.js';
import type { Settings } from '../agents/metering/providers.js';
import { keepSpent, readSpent } from '../agents/metering/spent-files.js';
import type { TurnSessions } from '../agents/session/session-turn-adapter.js';
import { REQUEST_COMPOSER } from '../core/bridge/bridge-effects.js';
import { STAGE_COMPOSER } from '../core/envelope/envelope-effects.js';
import type { LiveJob } from '../core/job/job-state.js';
import type { Ask } from '../core/kernel/effect.js';
import type { SessionOrder } from '../core/session/session-messages.js';
import type { LiveSession } from '../core/session/session-state.js';
import { askedSince } from '../engine/job/asked-since.js';
import type { Home } from '../engine/opened-home.js';
import type { Ports } from '../engine/ports.js';
import { readRunOf } from '../engine/read-run.js';
import type { ShellReader } from '../engine/rules/shell-reader.js';
import type { LiveText } from '../engine/session/live-text.js';
import type { Gate } from '../sandbox/process-rows.js';
import { keepLogs } from '../system/node-log-files.js';
import type { Confinements } from '../workspace/confinement.js';
import { jobFolder } from '../workspace/job-folder.js';
import { worklogOf } from '../workspace/workspace-record.js';
import { jobWork } from './job-work.js';
import { SignsOfLife } from './signs-of-life.js';

const PROGRAMS: ReadonlySet<string> = new Set(['command', 'codex', 'claude', 'acp']);
const WITHOUT_FILES: readonly string[] = [STAGE_COMPOSER, REQUEST_COMPOSER];
const isWithoutFiles = ({ request }: Ask): boolean => 'composer' in request && WITHOUT_FILES.includes(request.composer);

type Environment = Readonly<Record<string, string | undefined>>;
export type StateOf = (run: string) => Promise<Partial<LiveJob>>;

type Around = {
  gate: Gate;
  confinements: Confinements;
  stateOf: StateOf;
  /** Without keys of providers. */
  environment: Environment;
  log(): Ports['log'];
  sessions: { live: LiveText; tools(order: SessionOrder, run: string): Promise<readonly object[]> };
};

export async function agentsOf(
  { env, cwd }: { env: Environment; cwd: string },
  home: Home,
  { gate, confinements, stateOf, environment, log, sessions }: Around,
) {
  const [{ AgentDirectory }, { builtInSpec }, { createAgents }, { HandoffQueue }, { readyClis }] = await Promise.all([
    import('../agents/agent-directory.js'),
    import('../agents/agent-spec.js'),
    import('../agents/create-agents.js'),
    import('../engine/handoffs/handoff-queue.js'),
    import('../agents/cli/ready-clis.js'),
  ]);
  const { folder, store, clock, ids, scrub, machines } = home;
  const worklogIn = (run: string) => worklogOf(jobFolder(folder, run));
  const signs = new SignsOfLife(clock, worklogIn);
  const metering = await meteringOf(home, env, stateOf, (run) => signs.seen(run));
  const onLog = keepLogs(folder, scrub);
  const queue = new HandoffQueue(clock, ids, (offer, text) => onLog({ ...offer, text }));
  const directory = new AgentDirectory(store, machines, cwd);
  const spentOf = (of: Attempt) => readSpent(folder, of);
  const judging = await judgeOf(home, stateOf);
  const holds = async (): Promise<boolean> => (await confinements.holding()).holds;
  const agents = createAgents({
    ...{ gate, directory, environment: env, clock, metering, queue },
    workspaceOf: (run) => jobFolder(folder, run).workspace,
    worklogOf: worklogIn,
    onSign: (run) => signs.seen(run),
    callsFolder: path.join(folder, 'calls'),
    onLog,
    confine: async (of, spec, { opened, ...way }) =>
      confinements.agent(of.run, spec, { ...way, ...(await judging.hosts(of, opened)) }),
    envNamesOf: async (run) => (await stateOf(run)).order?.env ?? [],
    spentOf,
    holds,
    ...judging,
    askedSince: (of) => askedSince(store, of),
    work: jobWork({ home, gate, environment, confinements, stateOf, hosts: judging.hosts, log }),
    sessions: { live: sessions.live, scrub, request: turnsOf(home, sessions) },
    stateOf: (run, agent) => path.join(jobFolder(folder, run).agents, agent),
  });
  const specOf = async (agent: string) => (await directory.specOf(agent)) ?? builtInSpec(agent);
  let asked = 0;
  const ask: typeof agents.ask = async (held, ask, ...args) => {
    asked += 1;
    // Programs run somewhere: who works on nothing but what it is sent has an empty folder.
    if (isWithoutFiles(ask) && PROGRAMS.has((await specOf(ask.agent))?.adapter ?? '')) {
      await mkdir(jobFolder(folder, held.run).workspace, { recursive: true, mode: 0o700 });
    }
    try {
      return await agents.ask(held, ask, ...args);
    } finally {
      signs.forget(held.run);
    }
  };
  const isPerson = async (agent: string): Promise<boolean> => (await specOf(agent))?.adapter === 'human';
  const readyAgents = async () => readyClis(env, await providersOf({ drives: true }, folder));
  return {
    metering,
    queue,
    holds,
    spentOf,
    readyAgents,
    directory,
    agents: { ...agents, ask, lastSignMs: (run: string) => signs.lastMs(run) },
    specOf,
    isPerson,
    asked: () => asked,
  };
}

/** What a model is sent: read from the session's own journal. */
function turnsOf({ store, machines }: Home, { tools }: Around['sessions']): TurnSessions['request'] {
  return async (run, facts) => {
    const { turnRequest } = await import('../engine/session/read-thread.js');
    const state = async () => (await readRunOf(store, machines, 'session', run)).state as LiveSession;
    const body = (sha256: string) => store.body(sha256);
    return turnRequest({ state, body, tools: (order) => tools(order, run) }, run, facts);
  };
}

/** Only who starts something needs to know. */
export async function providersOf({ drives }: { drives?: boolean }, home: string): Promise<Settings> {
  if (!drives) return {};
  const { readConfig } = await import('../settings/config-file.js');
  return (await readConfig(home)).providers ?? {};
}

/** What agents may do without a person. */
async function judgeOf({ folder, store, clock, machines }: Home, stateOf: StateOf) {
  const [{ RuleBook, rulesIn }, { wantedJudge, strictFor, hostRules }] = await Promise.all([
    import('../engine/rules/rule-book.js'),
    import('../engine/rules/judge-wanted.js'),
  ]);
  const around = {
    rules: new RuleBook({ kept: () => rulesIn(store, machines), clock, shell: shellReader }),
    stateOf,
    async projectRules(repo: string) {
      const { readProject } = await import('../settings/project-file.js');
      const project = await readProject(folder, repo);
      return project?.trusted ? (project.settings.rules ?? []) : [];
    },
  };
  return { judge: wantedJudge(around), strict: strictFor(around), hosts: hostRules(around) };
}

/** What agents spend at providers comes out of the limits of their job. */
async function meteringOf(
  { folder, clock, scrub }: Home,
  environment: Environment,
  stateOf: StateOf,
  onUse: (run: string) => void,
): Promise<Metering> {
  const { Metering } = await import('../agents/metering/metering.js');
  return new Metering({
    ...{ environment, clock, scrub },
    settings: () => providersOf({ drives: true }, folder),
    prices: async () => (await import('../agents/metering/read-prices.js')).readPrices(folder),
    budgetOf: async (run) => jobBudget(await stateOf(run)),
    keep(of, usage) {
      onUse(of.run);
      keepSpent(folder, of, usage);
    },
  });
}

export async function shellReader(): Promise<ShellReader> {
  return (await import('../sandbox/shell/create-shell-reader.js')).createShellReader();
}
