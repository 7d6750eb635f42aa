import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Chosen } from '../sandbox/choose-sandbox.js';
import { confineJob } from '../sandbox/confine-job.js';
import { openRelay } from '../sandbox/relay/relay-server.js';
import { LIMITS_DEFAULT } from '../sandbox/resource-limits.js';
import type { Confined, Confinement, Network } from '../sandbox/sandbox.js';
import { jobFolder } from './job-folder.js';
import { readRecord } from './workspace-record.js';

export type AgentRights = { argv: readonly string[]; sandbox: 'read-only' | 'workspace-write' | 'danger-full-access' };

export type Held = { confined: Confined; end(): Promise<void> };
type Surroundings = {
  /** Made when it is first needed: trying a sandbox takes a moment. */
  choose(): Promise<Chosen>;
  /** Hosts that a job's agents may reach. */
  networkOf(run: string): Promise<readonly string[]>;
};

/** What agents and checks of jobs may reach. Undefined where nothing holds them: then they have the user's rights. */
export class Confinements {
  private readonly home: string;
  private readonly around: Surroundings;

  constructor(home: string, around: Surroundings) {
    this.home = home;
    this.around = around;
  }

  /** What really holds; `why` says what a stronger one lacks. */
  async holding(): Promise<{ mode: string; holds: boolean; why: string | null }> {
    const { sandbox, why = null } = await this.around.choose();
    return { mode: sandbox.mode, holds: sandbox.strength === 'enforced', why };
  }

  /** `ports` are those of loopback where Baton's own proxy is. `end` is for when the agent has ended: the way out of the sandbox closes with it. */
  async agent(run: string, { argv, sandbox }: AgentRights, ports: readonly number[] = []): Promise<Held | undefined> {
    if (sandbox === 'danger-full-access' || !(await this.holding()).holds) return undefined;
    const { sandbox: chosen } = await this.around.choose();
    const { network, close: end } = await wayOut(await this.around.networkOf(run), ports);
    const { workspace } = jobFolder(this.home, run);
    const readOnly = [...this.objectsOf(run), ...this.programOf(argv)];
    if (sandbox === 'workspace-write') {
      return { confined: confineJob(chosen, { home: this.home, workspace, readOnly, network }), end };
    }
    const confined = await this.confined({ readOnly: [workspace, ...readOnly], network });
    return confined && { confined, end };
  }

  /** Ignored folders of the workspace are linked into the copy a check runs on. */
  async check(run: string, cwd: string): Promise<Confined | undefined> {
    const { workspace, home } = jobFolder(this.home, run);
    const beside = cwd === workspace ? [] : [workspace];
    return this.confined({ writable: [cwd, home], readOnly: [...beside, ...this.objectsOf(run)] });
  }

  private async confined(of: Partial<Confinement>): Promise<Confined | undefined> {
    const { sandbox } = await this.around.choose();
    if (sandbox.strength !== 'enforced') return undefined;
    const closed = { control: [], network: { type: 'none' }, limits: LIMITS_DEFAULT, hidden: [this.home] } as const;
    return { sandbox, confinement: { ...closed, writable: [], readOnly: [], ...of } };
  }

  /** The agent's own files, with what lies beside them, unless that is everything there is. */
  private programOf(argv: readonly string[]): string[] {
    const files = argv.filter((word) => path.isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile());
    return files.map((file) => {
      const folder = path.dirname(file);
      const tooMuch = [os.homedir(), this.home].some((one) =>
        `${one}/`.startsWith(folder === '/' ? '/' : `${folder}/`),
      );
      return tooMuch ? file : folder;
    });
  }

  /** A workspace borrows its objects from the user's repository; without them git is of no use in it. */
  private objectsOf(run: string): string[] {
    const commonDir = readRecord(jobFolder(this.home, run))?.repository?.commonDir;
    if (commonDir === undefined) return [];
    const objects = path.join(commonDir, 'objects');
    return [objects, ...alternatesOf(objects)];
  }
}

const CLOSED: { network: Network; close(): Promise<void> } = { network: { type: 'none' }, close: async () => {} };

/** A socket of its own for each agent: who connects through it is known by that. */
async function wayOut(hosts: readonly string[], ports: readonly number[]): Promise<typeof CLOSED> {
  if (hosts.length === 0 && ports.length === 0) return CLOSED;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'baton-relay-'));
  const relay = await openRelay(path.join(folder, 'socket'), { ports, hosts: hosts.map(ruleOf) });
  return {
    network: { type: 'relay', socket: relay.socket, ports, hosts: hosts.length > 0 ? 'through-proxy' : 'none' },
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
