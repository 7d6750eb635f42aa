import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { endLiving, livingAgents } from '../stage/living-agents.js';
import { type Exit, ProgramProcess } from '../stage/program-process.js';
import { buildBaton } from './build-baton.js';
import { UserRepository } from './user-repository.js';

export type StageOptions = { root: string; bug?: SourceBug; keep: boolean };
/** What is there before anything is started. */
export type Grounds = { folder: string; bin: string; store: SqliteStore; keep: boolean };

const INTERRUPTED = 130;
/** They write down outside of their workspace what they do. */
const UNHELD = ['--sandbox', 'danger-full-access'];

export async function layGrounds({ root, bug, keep }: StageOptions): Promise<Grounds> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-faults-'));
  const bin = await buildBaton(root, path.join(folder, 'program'), bug);
  mkdirSync(homeIn(folder), { mode: 0o700 });
  // Agents and checks write down outside of their workspace what they do.
  writeFileSync(path.join(homeIn(folder), 'config.json'), JSON.stringify({ sandbox: { mode: 'none' } }));
  return { folder, bin, store: await openSqliteStore({ home: homeIn(folder), writer: 'main' }), keep };
}

/** A home, a repository, and the real program that is started on them again and again. */
export class ProgramStage {
  readonly token = String(randomInt(1e9, 1e10));
  readonly folder: string;
  readonly home: string;
  readonly store: SqliteStore;
  readonly repository: UserRepository;
  readonly problems: string[] = [];
  private readonly grounds: Grounds;
  private readonly started = new Set<ProgramProcess>();

  constructor(grounds: Grounds) {
    this.grounds = grounds;
    this.folder = grounds.folder;
    this.home = homeIn(grounds.folder);
    this.store = grounds.store;
    this.repository = new UserRepository(path.join(grounds.folder, 'repository'));
  }

  async register(agent: string, command: string): Promise<void> {
    await this.run('agent', 'register', agent, '--adapter', 'command', '--command', command, ...UNHELD);
  }

  /** One command of the program to its end; false when it failed, which is a problem. */
  async run(...args: readonly string[]): Promise<boolean> {
    const { code } = await this.start(args.slice(0, 2).join(' '), args).ended;
    return code === 0;
  }

  /** What a command prints. */
  async output(...args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    await this.start(args.slice(0, 2).join(' '), args, undefined, (line) => lines.push(line)).ended;
    return lines.join('\n');
  }

  async clear(): Promise<void> {
    for (const process of this.started) if (!process.exit) await process.kill();
    endLiving(livingAgents(this.token));
    await this.store.close();
    if (this.grounds.keep) return console.log(`kept: ${this.folder}`);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** `onSaid` hears what it says on stderr. */
  protected start(
    name: string,
    args: readonly string[],
    onSaid: (line: string, by: ProgramProcess) => void = () => {},
    onPrinted: (line: string) => void = () => {},
  ): ProgramProcess {
    const { PATH = '/usr/bin:/bin' } = process.env;
    const { bin, keep } = this.grounds;
    const own = { PATH, HOME: this.folder, BATON_HOME: this.home, USER: 'somebody', GIT_CONFIG_NOSYSTEM: '1' };
    const env = { ...own, ...this.environment(name) };
    const started: ProgramProcess = new ProgramProcess(
      name,
      [process.execPath, bin, ...args],
      (verb, rest) => {
        if (keep) appendFileSync(path.join(this.folder, 'said.log'), `${name} ${verb} ${rest}\n`);
        if (verb === 'stderr') onSaid(rest, started);
        else onPrinted(rest === '' ? verb : `${verb} ${rest}`);
      },
      { env, cwd: this.folder },
    );
    this.started.add(started);
    void started.ended.then((exit) => {
      this.started.delete(started);
      if (this.isFine(name, exit)) return;
      this.problems.push(`${name} failed (${exit.code ?? exit.signal}): ${started.last.join(' / ')}`);
    });
    return started;
  }

  /** Further variables for the program of this name. */
  protected environment(_: string): Record<string, string> {
    return {};
  }

  /** It has done what it was to do, or ended because it was told to. */
  protected isFine(_: string, { code, signal }: Exit): boolean {
    return code === 0 || code === INTERRUPTED || signal === 'SIGKILL';
  }
}

function homeIn(folder: string): string {
  return path.join(folder, 'home');
}
