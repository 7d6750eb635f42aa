import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { endLiving, livingAgents } from '../stage/living-agents.js';
import { type Exit, ProgramProcess } from '../stage/program-process.js';
import { buildBaton } from './build-baton.js';
import { UserRepository } from './user-repository.js';

export type StageOptions = { root: string; bug?: SourceBug; keep: boolean; grounds?: Grounds };
/** What is there before anything is started. */
export type Grounds = {
  folder: string;
  home: string;
  bin: string;
  store: SqliteStore;
  keep: boolean;
  /** Other stages stand on the same home: what its agents are called begins with this, and somebody else clears up. */
  among?: string;
  /** Further variables for every program. */
  env?: Readonly<Record<string, string>>;
};

const INTERRUPTED = 130;
export const LEFT = 'SERVER_UNREACHABLE';
/** They write down outside of their workspace what they do. */
const UNHELD = ['--sandbox', 'danger-full-access'];

export async function layGrounds({ root, bug, keep, grounds }: StageOptions): Promise<Grounds> {
  if (grounds) return grounds;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-faults-'));
  const bin = await buildBaton(root, path.join(folder, 'program'), bug);
  const home = path.join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(path.join(home, 'config.json'), '{}');
  // Agents and checks write down outside of their workspace what they do.
  configure(home, { sandbox: { mode: 'none' } });
  return { folder, home, bin, store: await openSqliteStore({ home, writer: 'main' }), keep };
}

/** Sets these fields of the configuration, and leaves the others. */
export function configure(home: string, fields: object): void {
  const file = path.join(home, 'config.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...fields }));
}

export function agentName(grounds: Pick<Grounds, 'among'> | undefined, agent: string): string {
  return grounds?.among === undefined ? agent : `${grounds.among}-${agent}`;
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
    this.home = grounds.home;
    this.store = grounds.store;
    this.repository = new UserRepository(path.join(grounds.folder, 'repository'));
  }

  async register(agent: string, command: string): Promise<void> {
    await this.run('agent', 'register', this.nameOf(agent), '--adapter', 'command', '--command', command, ...UNHELD);
  }

  nameOf(agent: string): string {
    return agentName(this.grounds, agent);
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
    if (this.grounds.among !== undefined) return;
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
    const { bin, keep, env: further } = this.grounds;
    const own = { PATH, HOME: this.folder, BATON_HOME: this.home, USER: 'somebody', GIT_CONFIG_NOSYSTEM: '1' };
    const env = { ...own, ...further, ...this.environment(name) };
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
      if (this.isFine(name, exit) || wasLeft(started)) return;
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

/** The server that it worked through is gone: it cannot know what came of what it asked for, and says so. */
export function wasLeft({ last }: Pick<ProgramProcess, 'last'>): boolean {
  return last.some((line) => line.includes(LEFT));
}
