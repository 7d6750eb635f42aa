import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Chosen } from '../sandbox/choose-sandbox.js';
import { confineJob } from '../sandbox/confine-job.js';
import { controlFilesBelowAll } from '../sandbox/nested-control.js';
import { EVERY_NAME } from '../sandbox/relay/host-rules.js';
import { openRelay, type RelayOptions } from '../sandbox/relay/relay-server.js';
import { LIMITS_DEFAULT } from '../sandbox/resource-limits.js';
import type { Confined, Confinement, Network, Sandbox } from '../sandbox/sandbox.js';
import { type JobFolder, jobFolder } from './job-folder.js';
import { isOfSandbox, whyOnlyRead } from './only-read.js';
import { packagesInPlace } from './package-cache.js';
import { type TaskPlaces, taskPlaces } from './task/task-places.js';
import { readRecord } from './workspace-record.js';

export type AgentRights = {
  argv: readonly string[];
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Folders it may write to besides its workspace. */
  writable?: readonly string[];
};

/** How an agent leaves its sandbox, besides by the hosts of its job. */
export type WayOut = {
  /** Of loopback, where Baton's own proxy is. */
  ports: readonly number[];
  hosts: readonly string[];
  isClosed?(host: string): boolean;
  onRefused?(target: string): void;
};
const NO_WAY_OUT: WayOut = { ports: [], hosts: [] };

type Held = { confined: Confined; end(): Promise<void> };
/** `isWhole`: everything below that tells git or Baton what to run is guarded, also what is far away. */
type HeldSession = Held & { isWhole: boolean };
/** What the commands of a session may touch; all paths are absolute and without links. */
export type SessionRights = {
  cwd: string;
  mayWrite: boolean;
  /** Files and folders that may be changed, where anything may. */
  places: readonly string[];
  networkAccess: boolean;
  /** Where the network is open: all that may be reached; without it the web. */
  hosts?: readonly string[] | undefined;
};
/** `env` says where it finds what setup has downloaded. */
type HeldAgent = Held & { env: Readonly<Record<string, string>> };
/** `sandbox` is what holds setup, or what is in its place; `hosts` are those it may reach. */
export type SetupRights = { sandbox: string; holds: boolean; hosts: readonly string[] };
/** The targets it asked for and did not get, as the relay tells them: `unreached` are those that it might have had. */
export type HeldSetup = Held & {
  hosts: readonly string[];
  refused: ReadonlySet<string>;
  unreached: ReadonlySet<string>;
};
export type SetupSandbox = Exclude<AgentRights['sandbox'], 'read-only'>;
export type ForbiddenScope = 'read-only' | 'hidden';
type Surroundings = {
  /** Made when it is first needed: trying a sandbox takes a moment. */
  choose(): Promise<Chosen>;
  /** Hosts that a job's agents and its setup may reach. */
  networkOf(run: string): Promise<readonly string[]>;
  /** What the user leaves to setup commands. */
  setupRights(): Promise<SetupSandbox>;
  /** What becomes of the forbidden_scope of tasks. */
  forbiddenScope(): Promise<ForbiddenScope>;
};

/** What agents, setup, checks and tools of runs may reach. Undefined where nothing holds them: then they have the user's rights. */
export class Confinements {
  private readonly home: string;
  private readonly around: Surroundings;

  constructor(home: string, around: Surroundings) {
    this.home = home;
    this.around = around;
  }

  /** What really holds; `why` says what a stronger one lacks. */
  async holding(): Promise<{ mode: string; holds: boolean; why: string | null; setup: SetupSandbox }> {
    const { sandbox, why = null } = await this.around.choose();
    const setup = await this.around.setupRights();
    return { mode: sandbox.mode, holds: sandbox.strength === 'enforced', why, setup };
  }

  /**
   * `end` is for when the agent has ended: the way out of the sandbox closes with it.
   */
  async agent(
    run: string,
    { argv, sandbox, writable = [] }: AgentRights,
    { ports, hosts: opened, isClosed, onRefused }: WayOut = NO_WAY_OUT,
  ): Promise<HeldAgent | undefined> {
    if (sandbox === 'danger-full-access' || !(await this.holding()).holds) return undefined;
    const { sandbox: chosen } = await this.around.choose();
    const hosts = [...(await this.around.networkOf(run)), ...opened];
    const closed = hosts.length === 0 && ports.length === 0;
    const policy = { hosts, ports, ...(isClosed && { isClosed }) };
    const { network, close: end } = closed ? CLOSED : await wayOut(policy, chosen, onRefused && { onRefused });
    const folder = jobFolder(this.home, run);
    const { workspace } = folder;
    const env = packagesInPlace(folder)?.env ?? {};
    const task = await this.taskPlaces(folder, sandbox);
    const needed = task?.hidesRepository ? [] : this.neededBy(run);
    const readOnly = [...needed, ...this.programOf(argv)];
    if (task) {
      const rights = {
        writable: [...task.writable, ...writable],
        readOnly: [...task.readOnly, ...readOnly],
        hidden: [this.home, ...task.hidden],
        control: task.control,
        mayCover: true,
        network,
      };
      const confined = await this.confined(rights);
      return confined && { confined, env, end };
    }
    if (sandbox === 'workspace-write') {
      return { confined: confineJob(chosen, { home: this.home, workspace, writable, readOnly, network }), env, end };
    }
    const confined = await this.confined({ writable, readOnly: [workspace, ...readOnly], network });
    return confined && { confined, env, end };
  }

  /** It makes a workspace out of what others publish; on files that an agent wrote it reaches no more than the agent. */
  async setupRights(run: string, { byAgent }: { byAgent: boolean }): Promise<SetupRights> {
    const { mode, holds, setup } = await this.holding();
    const named = await this.around.networkOf(run);
    const hosts = byAgent ? named : [EVERY_NAME, ...named];
    if (!holds) return { sandbox: 'none', holds, hosts };
    return setup === 'danger-full-access' ? { sandbox: setup, holds: false, hosts } : { sandbox: mode, holds, hosts };
  }

  /** The same as an agent. */
  async setup(
    run: string,
    { argv, byAgent }: { argv: readonly string[]; byAgent: boolean },
  ): Promise<HeldSetup | undefined> {
    const { holds, hosts } = await this.setupRights(run, { byAgent });
    if (!holds) return undefined;
    const { sandbox } = await this.around.choose();
    const [refused, unreached] = [new Set<string>(), new Set<string>()];
    const noteIn = (set: Set<string>) => (target: string) => void (set.size < TOLD_MAX && set.add(target));
    const told = { onRefused: noteIn(refused), onUnreached: noteIn(unreached) };
    // With no host to reach as well: whom it asks for is what a person has to know.
    const { network, close: end } = await wayOut({ hosts, ports: [] }, sandbox, told);
    const readOnly = [...this.objectsOf(run), ...this.programOf(argv)];
    const { workspace } = jobFolder(this.home, run);
    const confined = confineJob(sandbox, { home: this.home, workspace, readOnly, network });
    return { confined, end, hosts, refused, unreached };
  }

  /** No host, so that what it proves does not depend on what others answer. Ignored folders are linked into its copy. */
  async check(run: string, cwd: string): Promise<Confined | undefined> {
    const { workspace } = jobFolder(this.home, run);
    const beside = cwd === workspace ? [] : [workspace];
    return this.confined({ writable: [cwd], readOnly: [...beside, ...this.neededBy(run)] });
  }

  /** A command of a machine: it may change the folder it runs in. */
  async tool(cwd: string): Promise<Confined | undefined> {
    const folder = path.resolve(cwd);
    if (this.holdsTooMuch(folder) || whyOnlyRead(folder) !== undefined) return this.confined({});
    const { sandbox } = await this.around.choose();
    return sandbox.strength === 'enforced' ? confineJob(sandbox, { home: this.home, workspace: folder }) : undefined;
  }

  /** A command of a session. Some folders are seen at most: whoever writes there runs things later. */
  async session(rights: SessionRights): Promise<HeldSession | { reason: string } | undefined> {
    const { cwd, mayWrite, places, networkAccess, hosts = ANYWHERE } = rights;
    const { sandbox } = await this.around.choose();
    if (sandbox.strength !== 'enforced') return undefined;
    const isOpen = (place: string): boolean => isFolder(place) || isOneFile(place);
    const roots = mayWrite ? places.filter((place) => isOpen(place) && whyOnlyRead(place) === undefined) : [];
    const writable = [...new Set(roots)];
    const readOnly = cwd === '/' || isOfSandbox(cwd) || writable.includes(cwd) ? [] : [cwd];
    const below = await controlFilesBelowAll(writable.filter(isFolder));
    if ('reason' in below) return below;
    const { control, isWhole } = below;
    const hasNetwork = networkAccess && hosts.length > 0;
    const { network, close: end } = hasNetwork ? await wayOut({ hosts, ports: [] }, sandbox) : CLOSED;
    const confined = await this.confined({ writable, readOnly, control, network });
    return confined && { confined, end, isWhole };
  }

  /** A program that the user has registered: it sees the folder, and changes it only where it is there to change things. */
  async registered(
    cwd: string,
    { argv, mayWrite, hosts }: { argv: readonly string[]; mayWrite: boolean; hosts: readonly string[] },
  ): Promise<Held | undefined> {
    const { sandbox } = await this.around.choose();
    if (sandbox.strength !== 'enforced') return undefined;
    const { network, close: end } = hosts.length === 0 ? CLOSED : await wayOut({ hosts, ports: [] }, sandbox);
    const folder = path.resolve(cwd);
    const programs = this.programOf(argv);
    const seen = this.holdsTooMuch(folder) ? [] : [folder];
    const confined =
      mayWrite && seen.length > 0 && whyOnlyRead(folder) === undefined
        ? confineJob(sandbox, { home: this.home, workspace: folder, readOnly: programs, network })
        : await this.confined({ readOnly: [...seen, ...programs], network });
    return confined && { confined, end };
  }

  /** Undefined when it is no workspace of a task. */
  private async taskPlaces(folder: JobFolder, sandbox: AgentRights['sandbox']): Promise<TaskPlaces | undefined> {
    const record = readRecord(folder);
    if (!record?.task) return undefined;
    const hides = (await this.around.forbiddenScope()) === 'hidden';
    return taskPlaces(folder, { ...record, task: record.task }, { mayWork: sandbox === 'workspace-write', hides });
  }

  private async confined(of: Partial<Confinement>): Promise<Confined | undefined> {
    const { sandbox } = await this.around.choose();
    if (sandbox.strength !== 'enforced') return undefined;
    const closed = { control: [], mayCover: false, network: NO_NETWORK, limits: LIMITS_DEFAULT, hidden: [this.home] };
    return { sandbox, confinement: { ...closed, writable: [], readOnly: [], ...of } };
  }

  /** The agent's own files, with what lies beside them, unless that is everything there is. */
  private programOf(argv: readonly string[]): string[] {
    const files = argv.filter((word) => path.isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile());
    return files.map((file) => {
      const folder = path.dirname(file);
      return this.holdsTooMuch(folder) ? file : folder;
    });
  }

  /** The user's home or Baton's is in it, whatever name it goes by. */
  private holdsTooMuch(folder: string): boolean {
    const real = realPath(folder);
    return [os.homedir(), this.home].some((one) => `${realPath(one)}/`.startsWith(real === '/' ? '/' : `${real}/`));
  }

  /** What is not in the workspace, and yet part of it. */
  private neededBy(run: string): string[] {
    const packages = packagesInPlace(jobFolder(this.home, run));
    return [...this.objectsOf(run), ...(packages ? [packages.folder] : [])];
  }

  /** A workspace borrows its objects from the user's repository; without them git is of no use in it. */
  private objectsOf(run: string): string[] {
    const commonDir = readRecord(jobFolder(this.home, run))?.repository?.commonDir;
    if (commonDir === undefined) return [];
    const objects = path.join(commonDir, 'objects');
    return [objects, ...alternatesOf(objects)];
  }
}

const NO_NETWORK: Network = { type: 'none' };
const CLOSED: { network: Network; close(): Promise<void> } = { network: NO_NETWORK, close: async () => {} };

function realPath(one: string): string {
  return existsSync(one) ? realpathSync(one) : path.resolve(one);
}

function isFolder(one: string): boolean {
  return statSync(one, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What has a second name would be changed under that, too. */
function isOneFile(one: string): boolean {
  const facts = statSync(one, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.nlink === 1;
}

/** Every name, by the two ports of the web. */
const ANYWHERE: readonly string[] = [EVERY_NAME, `${EVERY_NAME}:80`];

const TOLD_MAX = 20;

/** A socket of its own for each command: who connects through it is known by that. */
async function wayOut(
  { hosts, ports, isClosed }: Pick<WayOut, 'hosts' | 'ports' | 'isClosed'>,
  { mode }: Sandbox,
  told: Pick<RelayOptions, 'onRefused' | 'onUnreached'> = {},
): Promise<typeof CLOSED> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'baton-relay-'));
  const policy = { ports, hosts: hosts.map(ruleOf), ...(isClosed && { isClosed }) };
  // Rules of macOS know no network of its own, in which the proxy could listen.
  const relay = await openRelay(path.join(folder, 'socket'), policy, { ...told, onLoopback: mode === 'seatbelt' });
  const { socket, proxyPort } = relay;
  return {
    network: { type: 'relay', socket, ports, hosts: 'through-proxy', ...(proxyPort && { proxyPort }) },
    async close() {
      await relay.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `name`, `*.name`, `name:port`. */
function ruleOf(text: string): { host: string; port?: number } {
  const [, host = text, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  return port === undefined ? { host } : { host, port: Number(port) };
}

/** A repository may itself borrow from others. */
function alternatesOf(objects: string): string[] {
  try {
    const lines = readFileSync(path.join(objects, 'info', 'alternates'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => path.resolve(objects, line));
  } catch {
    return []; // most borrow from nobody
  }
}
