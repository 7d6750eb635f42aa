/** Composes adapters and engine, lazily; the only file that knows them all. */

import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { withoutKeys } from './agents/metering/providers.js';
import { agentDecider } from './core/agent/agent-decider.js';
import { bridgeDecider } from './core/bridge/bridge-decider.js';
import { envelopeDecider } from './core/envelope/envelope-decider.js';
import { errandDecider } from './core/errand/errand-decider.js';
import { jobDecider } from './core/job/job-decider.js';
import type { LiveJob } from './core/job/job-state.js';
import { landingDecider } from './core/landing/landing-decider.js';
import { ledgerDecider } from './core/ledger/ledger-decider.js';
import { sessionDecider } from './core/session/session-decider.js';
import { systemDecider } from './core/system/system-decider.js';
import { taskDecider } from './core/task/task-decider.js';
import type { Engine } from './engine/engine.js';
import { findPoint } from './engine/job/find-point.js';
import type { Places } from './engine/job/job-object.js';
import { loginOf } from './engine/login-of.js';
import { Machines } from './engine/machines.js';
import type { Baton } from './engine/opened-baton.js';
import type { Home } from './engine/opened-home.js';
import type { Notifier, Ports } from './engine/ports.js';
import type { JobFiles } from './engine/projections/job-files.js';
import { Spendings } from './engine/projections/spendings.js';
import { readRun } from './engine/read-run.js';
import { createScrub } from './engine/scrub.js';
import type { Drives } from './engine/session/keep-going.js';
import { LiveText } from './engine/session/live-text.js';
import type { NotifierService } from './engine/system/notifier-service.js';
import type { Chosen } from './sandbox/choose-sandbox.js';
import type { Gate } from './sandbox/process-rows.js';
import { hasStore, openStore } from './store/open-store.js';
import type { SqliteStore } from './store/sqlite/sqlite-store.js';
import { environmentSecrets } from './system/environment-secrets.js';
import { fileSecrets } from './system/file-secrets.js';
import { LiveFiles } from './system/live-files.js';
import { nodeClock } from './system/node-clock.js';
import { nodeHasher } from './system/node-hasher.js';
import { nodeIds } from './system/node-ids.js';
import { logFileOf, readLogFile } from './system/node-log-files.js';
import { createNodeSigner } from './system/node-signer.js';
import { agentsOf, providersOf, type StateOf } from './wiring/agents.js';
import { bridgeParts, bridgeService } from './wiring/bridges.js';
import { envelopeParts, envelopeService } from './wiring/envelopes.js';
import { jobFiles } from './wiring/job-files.js';
import { lazily } from './wiring/lazily.js';
import { atTheDesk, type SystemServices, systemServices } from './wiring/services.js';
import { sessionDesk } from './wiring/session-desk.js';
import { sessionParts } from './wiring/sessions.js';
import { answerPreview } from './workspace/answer-preview.js';
import { besideJobs } from './workspace/beside-jobs.js';
import { Confinements, type SetupSandbox } from './workspace/confinement.js';
import { jobFolder } from './workspace/job-folder.js';

type HomeOptions = {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `main` for a command that ends soon, `thread` for a server that must not stop while the disk works. */
  writer: 'main' | 'thread';
  /** Makes nothing, not even the folder, and takes the journal as it is, so that a broken one can be looked at. */
  readOnly?: boolean;
};

export async function openHome({ home, env, writer, readOnly = false }: HomeOptions): Promise<Home> {
  const stored = !readOnly || hasStore(home);
  const store = await openStore({ home, writer, readOnly, stored }, { clock: nodeClock, hasher: nodeHasher });
  const spendings = new Spendings(store);
  return {
    folder: home,
    stored,
    store,
    clock: nodeClock,
    ids: nodeIds,
    hasher: nodeHasher,
    signer: createNodeSigner(home),
    scrub: createScrub(environmentSecrets(env)),
    machines: new Machines()
      .add(errandDecider)
      .add(agentDecider)
      .add(jobDecider)
      .add(landingDecider)
      .add(systemDecider)
      .add(ledgerDecider)
      .add(taskDecider)
      .add(envelopeDecider)
      .add(bridgeDecider)
      .add(sessionDecider),
    async spent(by, days) {
      const { costReport } = await import('./engine/shown/cost-report.js');
      return costReport(spendings, by, days === undefined ? 0 : nodeClock.nowMs() - days * DAY_MS);
    },
    copyStore: (file) => (store as SqliteStore).copyTo(file),
    close: () => store.close(),
  };
}

type BatonOptions = Omit<HomeOptions, 'readOnly'> & {
  cwd: string;
  /** Starts the engine: this process may own runs. */
  drives?: boolean;
  claimsAny?: boolean;
  handoffsMax?: number;
};

const DAY_MS = 86_400_000;
const HANDOFFS_AT_ONCE = 4;
const OWNED_MAX = 200;
const SNAPSHOT_EVERY = 100;
const SCOPE_LENGTH = 16;
/** Of so many jobs, the newest, the files are looked at when a process starts. */
const FILES_LOOKED_AT = 50;

/** A home with an engine, its agents and its workspaces. */
export async function openBaton(options: BatonOptions): Promise<Baton> {
  const home = await openHome(options);
  try {
    return await startBaton(options, home);
  } catch (failure) {
    await home.close();
    throw failure;
  }
}

async function startBaton(options: BatonOptions, home: Home): Promise<Baton> {
  const { folder, store, clock } = home;
  const world = await worldOf(options, home, () => system.notifiers);
  const places = { workspaceOf: (run: string) => jobFolder(folder, run).workspace };
  const files = await jobFiles(home, world.ports, places);
  const engine = await engineOf(options, home, world, files);
  const system: SystemServices = await systemServices(home, engine);
  if (options.drives) {
    await engine.start();
    await world.forgetDead();
    await files.repair((await store.runs({ kind: 'job', limit: FILES_LOOKED_AT })).items);
  }
  const services = await servicesOf(options, home, { world, engine, system, files, places });
  const { jobs, sessions } = services;
  return {
    ...home,
    engine,
    ...services,
    handlers: world.handlers,
    ...system,
    tryNotifier: world.tryNotifier,
    registerAgent: (registration, actor, key) =>
      world.directory.register(engine, clock, registration, { actor, ...(key && { key }) }),
    loginOf: (agent) => loginOf(world.ports, agent),
    previewAnswer: answerPreview(jobs, places, clock),
    cleanUp: world.cleanUp,
    queue: world.queue,
    logTo: world.logTo,
    guard: () => world.confinements.holding(),
    logFile: (of) => logFileOf(folder, of),
    readLog: (of, after) => readLogFile(logFileOf(folder, of), after),
    evidence: world.evidence,
    ...atTheDesk(home, jobs, system.budgets),
    async close() {
      sessions.close();
      if (options.drives) await engine.stop(0);
      await world.endServers();
      await world.metering.close();
      // What could not be written is repaired by whoever drives the job next: the store wins.
      await files.flush().catch((problem) => world.ports.log('warn', 'files of jobs', { problem: String(problem) }));
      await home.close();
    },
  };
}

type Started = { world: World; engine: Engine; system: SystemServices; files: JobFiles; places: Places };

/** What is done with runs of each kind, and with what waits for people. */
async function servicesOf(options: BatonOptions, home: Home, { world, engine, system, files, places }: Started) {
  const [{ JobService }, { LandingService }, { InboxService }, { OperatorService }] = await Promise.all([
    import('./engine/job/job-service.js'),
    import('./engine/job/landing-service.js'),
    import('./engine/inbox/inbox-service.js'),
    import('./engine/operator/operator-service.js'),
  ]);
  const { ports, isPerson, spentOf, holds } = world;
  const around = { ports, engine, machines: home.machines };
  // Nobody drives it, so nothing follows by itself.
  const changed = (run: string): void => files.changed(run, { rests: true });
  const jobs = new JobService({ ...around, places, isPerson, spentOf, changed });
  const diff: Baton['diff'] = (run, between) => world.diff(run, jobs, between);
  const landings = new LandingService({ ...around, jobs, diff });
  const there = whoIsThere(home, world);
  const operator = new OperatorService({
    ...{ ...around, knowsAgent: there.knowsAgent, isPerson },
    readResult: async (text) => (await import('./workspace/task/read-result.js')).readResult(text),
  });
  const envelopes = await envelopeService(home, engine, world, { ...there, cwd: options.cwd });
  const bridges = await bridgeService(home, engine, { ...world, ...there });
  const fourEyes = async (): Promise<boolean> => (await configOf(home.folder)).approvals?.four_eyes === true;
  const sessions = await sessionDesk(home, engine, { ...world, fourEyes, drives: drivesSessions(options) });
  const answerable = { jobs, landings, operator, envelopes, bridges, sessions };
  const inbox = new InboxService({ ...around, ...answerable, ...system, holds });
  return { ...there, ...answerable, inbox, diff, fourEyes };
}

/** A process that takes whatever is due finds answers that others gave by itself. */
function drivesSessions({ drives, claimsAny }: BatonOptions): Drives {
  if (!drives) return 'nothing';
  return claimsAny ? 'sent' : 'watched';
}

async function engineOf(
  options: BatonOptions,
  { folder, machines }: Home,
  world: World,
  files: JobFiles,
): Promise<Engine> {
  const { Engine } = await import('./engine/engine.js');
  const atOnce = await handoffsAtOnce(options, folder);
  return new Engine(world.ports, machines, {
    worker: world.gate.worker,
    host: hostname(),
    claimsAny: options.claimsAny === true,
    ownedMax: OWNED_MAX,
    snapshotEvery: SNAPSHOT_EVERY,
    onDriven: onDriven(world, files),
    laneLimit: () => (world.asked() < (options.handoffsMax ?? Number.POSITIVE_INFINITY) ? atOnce.perAgent : 0),
    loginLimit: () => atOnce.perLogin,
  });
}

/** Which agents there are, and what follows from that when nothing else is said. */
function whoIsThere(
  { folder }: Home,
  { readyAgents, directory, specOf }: World,
): Pick<Baton, 'agents' | 'readyAgents' | 'knowsAgent' | 'withDefaults'> {
  const agents = () => directory.list();
  const knowsAgent = async (id: string): Promise<boolean> => (await specOf(id)) !== undefined;
  return {
    ...{ agents, readyAgents, knowsAgent },
    async withDefaults(said, cwd) {
      const { jobDefaults } = await import('./settings/job-defaults.js');
      return jobDefaults({ folder, agents, readyAgents, knowsAgent }, said, cwd);
    },
  };
}

async function configOf(home: string) {
  return (await import('./settings/config-file.js')).readConfig(home);
}

async function notifierOf(home: Home, env: HomeOptions['env'], notifiers: () => NotifierService): Promise<Notifier> {
  const { createNotifier } = await import('./notify/notifiers.js');
  const onFailed: NotifierService['failed'] = (...told) => notifiers().failed(...told);
  return createNotifier({ ...home, env, onFailed });
}

async function notifierTrial({ clock, ids }: Home, env: HomeOptions['env']): Promise<Baton['tryNotifier']> {
  const { sendNotice } = await import('./notify/send-notice.js');
  return (notifier) => {
    const at = new Date(clock.nowMs()).toISOString();
    const id = `trial/${ids.uuid()}`;
    return sendNotice(notifier, { id, run_id: 'trial', title: 'Baton can reach you', at, answer: 'baton inbox' }, env);
  };
}

type World = Awaited<ReturnType<typeof worldOf>>;

function onDriven({ learnSecrets, metering, ports }: World, files: JobFiles) {
  return (run: string, kind: string, what: 'changed' | 'rests' | 'taken'): void => {
    if (kind !== 'job' && kind !== 'task' && kind !== 'envelope' && kind !== 'bridge' && kind !== 'session') return;
    if (what === 'taken') learnSecrets(run);
    if (kind === 'job') {
      if (what === 'taken') files.claimed(run);
      else files.changed(run, { rests: what === 'rests' });
    }
    if (what === 'taken') return;
    // What it may spend is looked at again before the next ask in any case.
    metering.changed(run).catch((problem) => ports.log('warn', 'limits', { run, problem: String(problem) }));
  };
}

/** As the configuration says; else the strongest that is seen to hold. */
async function sandboxOf(home: string, PATH: string | undefined): Promise<Chosen> {
  const [{ readConfig }, { chooseSandbox }] = await Promise.all([
    import('./settings/config-file.js'),
    import('./sandbox/choose-sandbox.js'),
  ]);
  return chooseSandbox((await readConfig(home)).sandbox?.mode ?? 'auto', PATH);
}

/** Read each time, so that a job that is resubmitted goes by what is set then. */
async function setupSandboxOf(home: string): Promise<SetupSandbox> {
  const { readConfig } = await import('./settings/config-file.js');
  return (await readConfig(home)).sandbox?.setup ?? 'workspace-write';
}

/** Only who asks agents needs to know. */
async function handoffsAtOnce({ drives }: BatonOptions, home: string): Promise<{ perAgent: number; perLogin: number }> {
  const { readConfig } = await import('./settings/config-file.js');
  const { per_agent, per_login } = (drives && (await readConfig(home)).concurrency) || {};
  const perLogin = per_login ?? Math.max(HANDOFFS_AT_ONCE, per_agent ?? 0);
  return { perAgent: per_agent ?? perLogin, perLogin };
}

function confinementsOf(folder: string, PATH: string | undefined, stateOf: StateOf): Confinements {
  return new Confinements(folder, {
    choose: lazily(() => sandboxOf(folder, PATH)),
    networkOf: async (run) => (await stateOf(run)).order?.network ?? [],
    setupRights: () => setupSandboxOf(folder),
    forbiddenScope: async () => (await configOf(folder)).operator?.forbidden_scope ?? 'read-only',
  });
}

/** What lets this worker's processes through and finds those it has left. */
function gateOf({ folder, store, ids, hasher }: Home): Gate {
  return {
    table: (store as SqliteStore).processes,
    worker: `cli-${process.pid}-${ids.uuid().slice(0, 8)}`,
    scope: hasher.sha256(realpathSync(folder)).slice(0, SCOPE_LENGTH),
    oneMachine: true,
  };
}

/** The commit at a point of a job's history. */
function commitIn({ store, machines }: Home) {
  return async (job: string, point: string): Promise<string | null> => {
    const folded = await readRun(store, machines, job);
    if (folded?.machine.kind !== 'job') return null;
    return (await findPoint(store, job, folded.state as LiveJob, point))?.commit ?? null;
  };
}

/** What an engine touches: agents, workspaces, processes. */
async function worldOf(options: BatonOptions, home: Home, notifiers: () => NotifierService) {
  const [{ joinedDeeds }, { createComposers }, { createCommands }, { forgetDeadRows }] = await Promise.all([
    import('./workspace/joined-deeds.js'),
    import('./engine/composers.js'),
    import('./sandbox/commands.js'),
    import('./sandbox/forget-dead-rows.js'),
  ]);
  const { folder, store, clock, ids, hasher, scrub, machines } = home;
  const { env } = options;
  const gate = gateOf(home);
  const stateOf: StateOf = async (run) => ((await readRun(store, machines, run))?.state ?? {}) as Partial<LiveJob>;
  const confinements = confinementsOf(folder, env.PATH, stateOf);
  const relay = new LiveFiles(folder, clock);
  const live = new LiveText(relay);
  const environment = withoutKeys(env, await providersOf(options, folder));
  const sessions = sessionParts({ ...{ home, gate, environment, confinements, live }, log: () => ports.log });
  const asking = await agentsOf(options, home, {
    ...{ gate, confinements, stateOf, environment, log: () => ports.log },
    sessions: { ...sessions, live },
  });
  const envelopes = envelopeParts(home, {
    ...{ gate, clock, environment, home: folder },
    confine: (cwd, of) => confinements.registered(cwd, of),
  });
  const knowsAgent = async (id: string): Promise<boolean> => (await asking.specOf(id)) !== undefined;
  const bridges = bridgeParts({ home, gate, env, knowsAgent, isPerson: asking.isPerson, log: () => ports.log });
  const workspaces = { home: folder, gate, clock, scrub, hasher, environment, secretsIn: fileSecrets, confinements };
  const body = (sha256: string) => store.body(sha256);
  const headOf = async (run: string): Promise<string | null> => (await store.run(run))?.head ?? null;
  let tell: Ports['log'] = (level, message, fields) => {
    if (level !== 'error' && !env.BATON_DEBUG) return;
    process.stderr.write(`${scrub(`${level}: ${message} ${JSON.stringify(fields ?? {})}`)}\n`);
  };
  const ports: Ports = {
    ...{ store, clock, ids, hasher, scrub, agents: asking.agents },
    commands: createCommands(gate, {
      env: () => ({ PATH: env.PATH ?? '' }),
      confine: (cwd) => confinements.tool(cwd),
    }),
    deeds: joinedDeeds({
      ...workspaces,
      store,
      ...{ commitOf: commitIn(home), headOf, spentOf: asking.spentOf },
      ...{ ofEnvelopes: envelopes.deeds, ofBridges: bridges.deeds, ofSessions: sessions.deeds },
    }),
    composers: createComposers({ body, hasher, envelopes, runs: { store, machines, clock } }),
    readers: envelopes.readers,
    notifier: await notifierOf(home, env, notifiers),
    log: (...said) => tell(...said),
  };
  const tryNotifier = await notifierTrial(home, env);
  return {
    logTo: (log: Ports['log']): void => {
      tell = log;
    },
    ...asking,
    gate,
    ports,
    mover: envelopes.mover,
    live,
    relay,
    endServers: sessions.close,
    handlers: bridges.handlers,
    confinements,
    tryNotifier,
    ...besideJobs(workspaces),
    forgetDead: () => forgetDeadRows(gate),
  };
}
