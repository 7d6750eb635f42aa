import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { EventStore } from '../../../src/engine/ports.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { endLiving, livingAgents } from '../stage/living-agents.js';
import { ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';
import { buildBaton } from './build-baton.js';
import { JobAgents, SUPERVISOR, WORKERS } from './job-agents.js';
import { UserRepository } from './user-repository.js';

export type JobStageOptions = { root: string; bug?: SourceBug; keep: boolean };

const READY_MS_MAX = 30_000;
const SPOKEN = 'Taking jobs';

/** They write down outside of their workspace what they do. */
const UNHELD = ['--sandbox', 'danger-full-access'];

/** A home, a repository, agents, and the real program that is started on them again and again. */
export class JobStage {
  readonly token = String(randomInt(1e9, 1e10));
  readonly home: string;
  readonly repository: UserRepository;
  readonly agents: JobAgents;
  readonly problems: string[] = [];
  /** Jobs whose creation was acknowledged. */
  readonly created: string[] = [];
  readonly store: SqliteStore;
  private readonly folder: string;
  private readonly bin: string;
  private readonly keep: boolean;
  private readonly started = new Set<ProgramProcess>();
  private count = 0;

  private constructor(folder: string, bin: string, store: SqliteStore, keep: boolean) {
    this.folder = folder;
    this.home = homeIn(folder);
    this.bin = bin;
    this.store = store;
    this.keep = keep;
    this.repository = new UserRepository(path.join(folder, 'repository'));
    this.agents = new JobAgents(folder, this.token);
  }

  static async set({ root, bug, keep }: JobStageOptions): Promise<JobStage> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-faults-'));
    const bin = await buildBaton(root, path.join(folder, 'program'), bug);
    mkdirSync(homeIn(folder), { mode: 0o700 });
    // Agents and checks write down outside of their workspace what they do.
    writeFileSync(path.join(homeIn(folder), 'config.json'), JSON.stringify({ sandbox: { mode: 'none' } }));
    const store = await openSqliteStore({ home: homeIn(folder), writer: 'main' });
    const stage = new JobStage(folder, bin, store, keep);
    for (const name of [...WORKERS, SUPERVISOR]) {
      await stage.run(
        'agent',
        'register',
        name,
        '--adapter',
        'command',
        '--command',
        stage.agents.command(name),
        ...UNHELD,
      );
    }
    return stage;
  }

  /** `baton job run --watch`, as a person leaves it running. */
  startRunner(): ProgramProcess {
    this.count += 1;
    const runner = this.start(`runner-${this.count}`, ['job', 'run', '--watch']);
    return runner;
  }

  async untilReady(process: ProgramProcess): Promise<void> {
    if (await within(READY_MS_MAX, () => process.isReady || process.exit !== undefined)) return;
    this.problems.push(`${process.name} did not start: ${process.last.join(' / ')}`);
  }

  /** Acknowledged when the program says so with its exit code. */
  async createJob(worker: string): Promise<void> {
    const id = `job-${this.token}-${this.created.length + 1}`;
    const { folder } = this.repository;
    const who = ['--agent', worker, '--supervisor', SUPERVISOR, '--repo', folder];
    const check = ['--check', this.agents.command('check')];
    const done = await this.run(
      'job',
      'create',
      `Write the ${worker} result`,
      '--id',
      id,
      '--activate',
      ...who,
      ...check,
    );
    if (done) this.created.push(id);
  }

  /** One command of the program to its end; false when it failed, which is a problem. */
  async run(...args: readonly string[]): Promise<boolean> {
    const { code } = await this.start(args.slice(0, 2).join(' '), args).ended;
    return code === 0;
  }

  async open(): Promise<number> {
    return (await jobsOf(this.store)).filter(({ ended }) => !ended).length;
  }

  async clear(): Promise<void> {
    for (const process of this.started) if (!process.exit) await process.kill();
    endLiving(livingAgents(this.token));
    await this.store.close();
    if (this.keep) return console.log(`kept: ${this.folder}`);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private start(name: string, args: readonly string[]): ProgramProcess {
    const { PATH = '/usr/bin:/bin' } = process.env;
    const env = { PATH, HOME: this.folder, BATON_HOME: this.home, USER: 'somebody', GIT_CONFIG_NOSYSTEM: '1' };
    const started: ProgramProcess = new ProgramProcess(
      name,
      [process.execPath, this.bin, ...args],
      (verb, rest) => {
        if (this.keep) appendFileSync(path.join(this.folder, 'said.log'), `${name} ${verb} ${rest}\n`);
        if (verb === 'stderr' && rest.startsWith(SPOKEN)) started.isReady = true;
      },
      { env, cwd: this.folder },
    );
    this.started.add(started);
    void started.ended.then(({ code, signal }) => {
      this.started.delete(started);
      const asked = signal === 'SIGKILL' || code === 130;
      if (code !== 0 && !asked) this.problems.push(`${name} failed (${code ?? signal}): ${started.last.join(' / ')}`);
    });
    return started;
  }
}

export async function jobsOf(store: Pick<EventStore, 'runs'>) {
  return (await store.runs({ kind: 'job', limit: 1_000 })).items;
}

function homeIn(folder: string): string {
  return path.join(folder, 'home');
}
