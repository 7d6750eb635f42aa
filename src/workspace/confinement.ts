import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Chosen } from '../sandbox/choose-sandbox.js';
import { LIMITS_DEFAULT } from '../sandbox/resource-limits.js';
import type { Confined, Confinement } from '../sandbox/sandbox.js';
import { jobFolder } from './job-folder.js';
import { readRecord } from './workspace-record.js';

/** Files of a workspace that steer other programs: neither changed nor made by whoever works in it. */
const CONTROL_FILES = ['baton.json', '.git/config', '.git/hooks', '.git/info', '.gitmodules'];

export type AgentRights = { argv: readonly string[]; sandbox: 'read-only' | 'workspace-write' | 'danger-full-access' };

/** What agents and checks of jobs may reach. Undefined where nothing holds them: then they have the user's rights. */
export class Confinements {
  private readonly home: string;
  private readonly choose: () => Promise<Chosen>;

  /** The choice is made when it is first needed: trying a sandbox takes a moment. */
  constructor(home: string, choose: () => Promise<Chosen>) {
    this.home = home;
    this.choose = choose;
  }

  /** What really holds; `why` says what a stronger one lacks. */
  async holding(): Promise<{ mode: string; holds: boolean; why: string | null }> {
    const { sandbox, why = null } = await this.choose();
    return { mode: sandbox.mode, holds: sandbox.strength === 'enforced', why };
  }

  async agent(run: string, { argv, sandbox }: AgentRights): Promise<Confined | undefined> {
    if (sandbox === 'danger-full-access') return undefined;
    const { workspace } = jobFolder(this.home, run);
    const own = argv.filter((word) => path.isAbsolute(word) && existsSync(word));
    const seen = [...this.objectsOf(run), ...own];
    return sandbox === 'read-only'
      ? this.confined({ writable: [], readOnly: [workspace, ...seen] })
      : this.confined({ writable: [workspace], readOnly: seen, control: controlOf(workspace) });
  }

  /** Ignored folders of the workspace are linked into the copy a check runs on. */
  async check(run: string, cwd: string): Promise<Confined | undefined> {
    const { workspace, home } = jobFolder(this.home, run);
    return this.confined({ writable: [cwd, home], readOnly: [workspace, ...this.objectsOf(run)] });
  }

  private async confined(of: Partial<Confinement>): Promise<Confined | undefined> {
    const { sandbox } = await this.choose();
    if (sandbox.strength !== 'enforced') return undefined;
    const closed = { control: [], network: { type: 'none' }, limits: LIMITS_DEFAULT, hidden: [this.home] } as const;
    return { sandbox, confinement: { ...closed, writable: [], readOnly: [], ...of } };
  }

  /** A workspace borrows its objects from the user's repository; without them git is of no use in it. */
  private objectsOf(run: string): string[] {
    const commonDir = readRecord(jobFolder(this.home, run))?.repository?.commonDir;
    if (commonDir === undefined) return [];
    const objects = path.join(commonDir, 'objects');
    return [objects, ...alternatesOf(objects)];
  }
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

function controlOf(workspace: string): string[] {
  return CONTROL_FILES.map((file) => path.join(workspace, file));
}
