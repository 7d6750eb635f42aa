/** Composes adapters and engine, lazily; the only file that knows them all. */

import { lstatSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Baton } from './cli/opened-baton.js';
import type { Home } from './cli/opened-home.js';
import { BatonError } from './contracts/shared/errors.js';
import { agentDecider } from './core/agent/agent-decider.js';
import { errandDecider } from './core/errand/errand-decider.js';
import { jobDecider } from './core/job/job-decider.js';
import type { LiveJob } from './core/job/job-state.js';
import { landingDecider } from './core/landing/landing-decider.js';
import { systemDecider } from './core/system/system-decider.js';
import { findPoint } from './engine/job/find-point.js';
import { jobObject, type Places } from './engine/job/job-object.js';
import type { JobService } from './engine/job/job-service.js';
import type { LookAt } from './engine/job/preview-answer.js';
import { Machines } from './engine/machines.js';
import type { EventStore, Ports } from './engine/ports.js';
import type { JobFiles } from './engine/projections/job-files.js';
import { readRun } from './engine/read-run.js';
import type { ShellReader } from './engine/rules/shell-reader.js';
import { createScrub } from './engine/scrub.js';
import type { Chosen } from './sandbox/choose-sandbox.js';
import type { Gate } from './sandbox/process-rows.js';
import type { SqliteStore } from './store/sqlite/sqlite-store.js';
import { environmentSecrets } from './system/environment-secrets.js';
import { fileSecrets } from './system/file-secrets.js';
import { nodeClock } from './system/node-clock.js';
import { nodeHasher } from './system/node-hasher.js';
import { nodeIds } from './system/node-ids.js';
import { keepLogs, logFileOf } from './system/node-log-files.js';
import { createNodeSigner } from './system/node-signer.js';
import { Confinements, type SetupSandbox } from './workspace/confinement.js';
import type { WorkspaceOptions } from './workspace/deed.js';
import { learnIncluded } from './workspace/included-secrets.js';
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
  const store = await openStore(home, writer, readOnly, stored);
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
      .add(systemDecider),
    close: () => store.close(),
  };
}

async function openStore(
  home: string,
  writer: HomeOptions['writer'],
  readOnly: boolean,
  stored: boolean,
): Promise<EventStore> {
  if (!stored) return emptyStore();
  if (readOnly) {
    const { openForReading } = await import('./store/sqlite/open-for-reading.js');
    return openForReading(home, nodeClock.monotonicMs);
  }
  const { openSqliteStore } = await import('./store/sqlite/open.js');
  return openSqliteStore({ home, writer, monotonicMs: nodeClock.monotonicMs });
}

function hasStore(home: string): boolean {
  try {
    lstatSync(path.join(home, 'baton.db'));
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw new BatonError('HOME_UNUSABLE', `${home} cannot be looked into (${code})`, { home });
  }
}

async function emptyStore(): Promise<EventStore> {
  const [{ MemoryStore }, { MemoryJournal }] = await Promise.all([
    import('./store/memory/memory-store.js'),
    import('./store/memory/journal.js'),
  ]);
  return new MemoryStore(new MemoryJournal(nodeHasher), nodeClock);
}

type BatonOptions = Omit<HomeOptions, 'readOnly'> & {
  cwd: string;
  /** Starts the engine: this process may own runs. */
  drives?: boolean;
  claimsAny?: boolean;
  handoffsMax?: number;
};

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
  const [{ Engine }, { JobService }, { LandingService }, { InboxService }, { RuleService }, { forgetDeadRows }] =
    await Promise.all([
      import('./engine/engine.js'),
      import('./engine/job/job-service.js'),
      import('./engine/job/landing-service.js'),
      import('./engine/inbox/inbox-service.js'),
      import('./engine/rules/rule-service.js'),
      import('./sandbox/forget-dead-rows.js'),
    ]);
  const { folder, store, clock, machines } = home;
  const world = await worldOf(options, home);
  const places = { workspaceOf: (run: string) => workspaceOf(folder, run) };
  const files = await jobFiles(home, world.ports, places);
  const atOnce = await handoffsAtOnce(options, folder);
  const engine = new Engine(world.ports, machines, {
    worker: world.gate.worker,
    host: hostname(),
    claimsAny: options.claimsAny === true,
    ownedMax: OWNED_MAX,
    snapshotEvery: SNAPSHOT_EVERY,
    onDriven: (run, kind, what) => {
      if (kind !== 'job') return;
      if (what === 'taken') world.learnSecrets(run);
      if (what === 'taken') files.claimed(run);
      else files.changed(run, { rests: what === 'rests' });
    },
    laneLimit: () => (world.asked() < (options.handoffsMax ?? Number.POSITIVE_INFINITY) ? atOnce : 0),
  });
  if (options.drives) {
    await engine.start();
    await forgetDeadRows(world.gate);
    await files.repair((await store.runs({ kind: 'job', limit: FILES_LOOKED_AT })).items);
  }
  // Nobody drives it, so nothing follows by itself.
  const changed = (run: string): void => files.changed(run, { rests: true });
  const isPerson = async (agent: string): Promise<boolean> => (await world.specOf(agent))?.adapter === 'human';
  const jobs = new JobService({ ports: world.ports, engine, machines, places, isPerson, changed });
  const landings = new LandingService({
    ports: world.ports,
    engine,
    machines,
    jobs,
    diff: (run) => world.diff(run, jobs),
  });
  return {
    ...home,
    engine,
    jobs,
    landings,
    inbox: new InboxService({ ports: world.ports, engine, machines, jobs, landings }),
    rules: new RuleService({ ports: world.ports, engine, machines, shell: shellReader }),
    registerAgent: (registration, actor) => world.directory.register(engine, clock, registration, actor),
    agents: () => world.directory.list(),
    knowsAgent: async (id) => (await world.specOf(id)) !== undefined,
    diff: (run) => world.diff(run, jobs),
    previewAnswer: previewer(jobs, places),
    cleanUp: world.cleanUp,
    guard: () => world.confinements.holding(),
    logFile: (of) => logFileOf(folder, of),
    body: async (sha256) => new TextDecoder().decode(await store.body(sha256)),
    async close() {
      if (options.drives) await engine.stop(0);
      // What could not be written is repaired by whoever drives the job next: the store wins.
      await files.flush().catch((problem) => world.ports.log('warn', 'files of jobs', { problem: String(problem) }));
      await home.close();
    },
  };
}

async function shellReader(): Promise<ShellReader> {
  return (await import('./sandbox/shell/create-shell-reader.js')).createShellReader();
}

function previewer(jobs: JobService, places: Places): Baton['previewAnswer'] {
  return async (run, answer) => {
    const [{ previewAnswer }, { readEvidence }] = await Promise.all([
      import('./engine/job/preview-answer.js'),
      import('./workspace/evidence.js'),
    ]);
    const limits = { clock: nodeClock, signal: new AbortController().signal };
    const lookAt: LookAt = async (workspace, named) =>
      workspace ? readEvidence(workspace.folder, named, limits) : { fault: null, missing: [] };
    const after = await previewAnswer(await jobs.state(run), { ...answer, atMs: nodeClock.nowMs() }, lookAt);
    return { object: jobObject(run, after.job, places, null), checks: after.checks };
  };
}

/** As the configuration says; else the strongest that is seen to hold. */
async function sandboxOf(home: string, PATH: string | undefined): Promise<Chosen> {
  const [{ readConfig }, { chooseSandbox }] = await Promise.all([
    import('./cli/config/config-file.js'),
    import('./sandbox/choose-sandbox.js'),
  ]);
  return chooseSandbox((await readConfig(home)).sandbox?.mode ?? 'auto', PATH);
}

/** Read each time, so that a job that is resubmitted goes by what is set then. */
async function setupSandboxOf(home: string): Promise<SetupSandbox> {
  const { readConfig } = await import('./cli/config/config-file.js');
  return (await readConfig(home)).sandbox?.setup ?? 'workspace-write';
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Only who asks agents needs to know. */
async function handoffsAtOnce({ drives }: BatonOptions, home: string): Promise<number> {
  if (!drives) return HANDOFFS_AT_ONCE;
  const { readConfig } = await import('./cli/config/config-file.js');
  const { per_agent, per_login } = (await readConfig(home)).concurrency ?? {};
  return per_agent ?? per_login ?? HANDOFFS_AT_ONCE;
}

async function jobFiles(
  { folder, store, clock, scrub, hasher }: Home,
  ports: Ports,
  places: Places,
): Promise<JobFiles> {
  const [files, { FileWriter }, { nodeFiles }, { NodeHistoryFiles }, { composeJobRequest }] = await Promise.all([
    import('./engine/projections/job-files.js'),
    import('./engine/projections/file-writer.js'),
    import('./system/node-files.js'),
    import('./system/node-history-files.js'),
    import('./engine/job/compose-request.js'),
  ]);
  const sources = { body: (sha256: string) => store.body(sha256), hasher };
  return new files.JobFiles({
    store,
    places,
    files: nodeFiles,
    history: new NodeHistoryFiles(),
    writer: new FileWriter(nodeFiles, clock, (file, problem) =>
      ports.log('warn', 'a file could not be written yet', { file, problem: String(problem) }),
    ),
    folderOf: (run) => path.join(folder, 'jobs', run),
    composed: (run) => async (facts) => scrub(await composeJobRequest(run, facts, sources)),
  });
}

function workspaceOf(folder: string, run: string): string {
  return path.join(folder, 'jobs', run, 'workspace');
}

/** What an engine touches: agents, workspaces, processes. */
async function worldOf(options: BatonOptions, home: Home) {
  const [
    { AgentDirectory },
    { builtInSpec },
    { createAgents },
    { createJobDeeds },
    { createJobComposers },
    { createCommands },
  ] = await Promise.all([
    import('./agents/agent-directory.js'),
    import('./agents/agent-spec.js'),
    import('./agents/create-agents.js'),
    import('./workspace/create-job-deeds.js'),
    import('./engine/job/compose-request.js'),
    import('./sandbox/commands.js'),
  ]);
  const { folder, store, clock, ids, hasher, scrub, machines } = home;
  const { env: environment } = options;
  const gate: Gate = {
    table: (store as SqliteStore).processes,
    worker: `cli-${process.pid}-${ids.uuid().slice(0, 8)}`,
    scope: hasher.sha256(realpathSync(folder)).slice(0, SCOPE_LENGTH),
    oneMachine: true,
  };
  const stateOf = async (run: string) => ((await readRun(store, machines, run))?.state ?? {}) as Partial<LiveJob>;
  const confinements = new Confinements(folder, {
    choose: lazily(() => sandboxOf(folder, environment.PATH)),
    networkOf: async (run) => (await stateOf(run)).order?.network ?? [],
    setupRights: () => setupSandboxOf(folder),
  });
  const directory = new AgentDirectory(store, machines, options.cwd);
  const agents = createAgents({
    ...{ gate, directory, environment, clock },
    workspaceOf: (run) => workspaceOf(folder, run),
    callsFolder: path.join(folder, 'calls'),
    onLog: keepLogs(folder, scrub),
    confine: (run, spec) => confinements.agent(run, spec),
  });
  let asked = 0;
  const workspaces = { home: folder, gate, clock, scrub, hasher, environment, secretsIn: fileSecrets, confinements };
  const commitOf = async (job: string, point: string): Promise<string | null> => {
    const folded = await readRun(store, machines, job);
    if (folded?.machine.kind !== 'job') return null;
    return (await findPoint(store, job, folded.state as LiveJob, point))?.commit ?? null;
  };
  const headOf = async (run: string): Promise<string | null> => (await store.run(run))?.head ?? null;
  const ports: Ports = {
    ...{ store, clock, ids, hasher, scrub },
    agents: {
      ...agents,
      ask(...args) {
        asked += 1;
        return agents.ask(...args);
      },
    },
    commands: createCommands(gate, {
      env: () => ({ PATH: environment.PATH ?? '' }),
      confine: (cwd) => confinements.tool(cwd),
    }),
    deeds: createJobDeeds({ ...workspaces, store, commitOf, headOf }),
    composers: createJobComposers({ body: (sha256) => store.body(sha256), hasher }),
    notifier: { notify: async () => undefined },
    log: (level, message, fields) => {
      if (level !== 'error' && !environment.BATON_DEBUG) return;
      process.stderr.write(`${scrub(`${level}: ${message} ${JSON.stringify(fields ?? {})}`)}\n`);
    },
  };
  const specOf = async (agent: string) => (await directory.specOf(agent)) ?? builtInSpec(agent);
  return { gate, directory, ports, specOf, confinements, ...besideJobs(workspaces), asked: () => asked };
}

/** What is done with workspaces besides the deeds of jobs. */
function besideJobs(workspaces: WorkspaceOptions) {
  return {
    async diff(run: string, jobs: JobService): Promise<string> {
      const { repository } = (await jobs.state(run)).order;
      if (!repository) throw new BatonError('INVALID_TRANSITION', `${run} has no repository`);
      const { diffJob } = await import('./workspace/diff-job.js');
      const found = await diffJob({ ...besides(run, workspaces), repo: repository.folder });
      if ('problem' in found) throw new BatonError('INVALID_TRANSITION', found.problem);
      return found.patch;
    },
    async cleanUp(run: string) {
      const { cleanUp } = await import('./workspace/clean-up.js');
      return cleanUp(besides(run, workspaces));
    },
    /** What an earlier process has brought into the workspace of a job is secret here as well. */
    learnSecrets: (run: string): void => learnIncluded(jobFolder(workspaces.home, run), workspaces),
  };
}

/** Nobody owns the job meanwhile, so nobody need know of its processes. */
function besides(run: string, workspaces: WorkspaceOptions) {
  const table = { add: async () => true, remove: async () => {}, list: async () => [] };
  const gate: Gate = { ...workspaces.gate, table };
  return { ...workspaces, gate, held: { run, epoch: 0 }, signal: new AbortController().signal };
}
