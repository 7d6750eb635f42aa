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
import { Machines } from './engine/machines.js';
import type { EventStore, Ports } from './engine/ports.js';
import { createScrub } from './engine/scrub.js';
import type { SqliteStore } from './store/sqlite/sqlite-store.js';
import { environmentSecrets } from './system/environment-secrets.js';
import { nodeClock } from './system/node-clock.js';
import { nodeHasher } from './system/node-hasher.js';
import { nodeIds } from './system/node-ids.js';
import { createNodeSigner } from './system/node-signer.js';

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
    machines: new Machines().add(errandDecider).add(agentDecider).add(jobDecider),
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
  const [{ Engine }, { JobService }, { AgentDirectory }, { createAgents }, { createJobDeeds }, composers, sandbox] =
    await Promise.all([
      import('./engine/engine.js'),
      import('./engine/job/job-service.js'),
      import('./agents/agent-directory.js'),
      import('./agents/create-agents.js'),
      import('./workspace/create-job-deeds.js'),
      import('./engine/job/compose-request.js'),
      import('./sandbox/forget-dead-rows.js'),
    ]);
  const { folder, store, clock, ids, hasher, scrub, machines } = home;
  const worker = `cli-${process.pid}-${ids.uuid().slice(0, 8)}`;
  const scope = hasher.sha256(realpathSync(folder)).slice(0, SCOPE_LENGTH);
  const gate = { table: (store as SqliteStore).processes, worker, scope, oneMachine: true };
  const directory = new AgentDirectory(store, machines, options.cwd);
  const places = { workspaceOf: (run: string) => path.join(folder, 'jobs', run, 'workspace') };
  let asked = 0;
  const agents = createAgents({
    gate,
    directory,
    workspaceOf: (run) => places.workspaceOf(run),
    callsFolder: path.join(folder, 'calls'),
    clock,
    environment: options.env,
  });
  const ports: Ports = {
    ...{ store, clock, ids, hasher, scrub },
    agents: {
      ...agents,
      ask: (...args) => {
        asked += 1;
        return agents.ask(...args);
      },
    },
    commands: { execute: () => Promise.reject(new Error('no machine here runs commands by itself')) },
    deeds: createJobDeeds({ home: folder, gate, store, clock, scrub, hasher, environment: options.env }),
    composers: composers.createJobComposers({ body: (sha256) => store.body(sha256), hasher }),
    notifier: { notify: async () => undefined },
    log: (level, message, fields) => {
      if (level === 'error' || options.env.BATON_DEBUG) {
        process.stderr.write(`${scrub(`${level}: ${message} ${JSON.stringify(fields ?? {})}`)}\n`);
      }
    },
  };
  const { handoffsMax = Number.POSITIVE_INFINITY } = options;
  const engine = new Engine(ports, machines, {
    worker,
    host: hostname(),
    claimsAny: options.claimsAny === true,
    ownedMax: OWNED_MAX,
    snapshotEvery: SNAPSHOT_EVERY,
    laneLimit: () => (asked < handoffsMax ? HANDOFFS_AT_ONCE : 0),
  });
  if (options.drives) {
    await engine.start();
    await sandbox.forgetDeadRows(gate);
  }
  return {
    ...home,
    engine,
    jobs: new JobService({ ports, engine, machines, places }),
    registerAgent: (registration, actor) => directory.register(engine, clock, registration, actor),
    agents: () => directory.list(),
    land: () => Promise.reject(new Error('not yet')),
    diff: () => Promise.reject(new Error('not yet')),
    async close() {
      if (options.drives) await engine.stop(0);
      await home.close();
    },
  };
}
