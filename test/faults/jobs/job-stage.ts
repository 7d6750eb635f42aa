import type { EventStore } from '../../../src/engine/ports.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';
import { JobAgents, SUPERVISOR, WORKERS } from './job-agents.js';
import { type Grounds, layGrounds, ProgramStage, type StageOptions } from './program-stage.js';

const READY_MS_MAX = 30_000;
const SPOKEN = 'Taking jobs';

/** Agents of jobs, and the real program that takes jobs. */
export class JobStage extends ProgramStage {
  readonly agents: JobAgents;
  /** Jobs whose creation was acknowledged. */
  readonly created: string[] = [];
  private count = 0;

  private constructor(grounds: Grounds) {
    super(grounds);
    this.agents = new JobAgents(grounds.folder, this.token);
  }

  static async set(options: StageOptions): Promise<JobStage> {
    const stage = new JobStage(await layGrounds(options));
    for (const name of [...WORKERS, SUPERVISOR]) await stage.register(name, stage.agents.command(name));
    return stage;
  }

  /** `baton job run --watch`, as a person leaves it running. */
  startRunner(): ProgramProcess {
    this.count += 1;
    return this.start(`runner-${this.count}`, ['job', 'run', '--watch'], (line, by) => {
      if (line.startsWith(SPOKEN)) by.isReady = true;
    });
  }

  async untilReady(process: ProgramProcess): Promise<void> {
    if (await within(READY_MS_MAX, () => process.isReady || process.exit !== undefined)) return;
    this.problems.push(`${process.name} did not start: ${process.last.join(' / ')}`);
  }

  /** Acknowledged when the program says so with its exit code. */
  async createJob(worker: string): Promise<void> {
    const id = `job-${this.token}-${this.created.length + 1}`;
    const { folder } = this.repository;
    const who = ['--agent', this.nameOf(worker), '--supervisor', this.nameOf(SUPERVISOR), '--repo', folder];
    const check = ['--check', this.agents.command('check')];
    const what = ['job', 'create', `Write the ${worker} result`, '--id', id, '--activate'];
    if (await this.run(...what, ...who, ...check)) this.created.push(id);
  }

  async open(): Promise<number> {
    return (await jobsOf(this.store)).filter(({ ended }) => !ended).length;
  }
}

export async function jobsOf(store: Pick<EventStore, 'runs'>) {
  return (await store.runs({ kind: 'job', limit: 1_000 })).items;
}
