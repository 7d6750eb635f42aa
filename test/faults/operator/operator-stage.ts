import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EventRow, RunRow } from '../../../src/engine/ports.js';
import { WORKERS } from '../jobs/job-agents.js';
import { agentName, type Grounds, layGrounds, ProgramStage, type StageOptions } from '../jobs/program-stage.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { OperatorAgents } from './operator-agents.js';
import { type OperatorPlan, operatorPlan } from './operator-plan.js';

export type OperatorStageOptions = StageOptions & { tasks: number; seed: number };

const CONCURRENCY = '6';
const PAGE = 500;

/** One plan, sub-agents, and the real program that runs it. */
export class OperatorStage extends ProgramStage {
  readonly planned: OperatorPlan;
  readonly agents: OperatorAgents;
  private readonly file: string;
  private count = 0;
  private seen = 0;
  private done = 0;

  private constructor(grounds: Grounds, planned: OperatorPlan) {
    super(grounds);
    this.planned = planned;
    this.agents = new OperatorAgents(grounds.folder, this.token, planned);
    this.file = path.join(grounds.folder, 'plan.json');
    writeFileSync(this.file, JSON.stringify(planned.plan));
  }

  static async set({ tasks, seed, ...options }: OperatorStageOptions): Promise<OperatorStage> {
    const workers = WORKERS.map((name) => agentName(options.grounds, name));
    const stage = new OperatorStage(await layGrounds(options), operatorPlan(tasks, seed, workers));
    for (const name of WORKERS) await stage.register(name, stage.agents.command(name));
    return stage;
  }

  get ledger(): string {
    return this.planned.plan.run_id;
  }

  /** `baton operator run`; by its plan as long as nobody knows whether there is a run of it, then by either. */
  async startRunner(byRun: boolean): Promise<ProgramProcess> {
    this.count += 1;
    const named = byRun && (await this.row()) ? this.ledger : this.file;
    const words = ['--repo', this.repository.folder, '--concurrency', CONCURRENCY];
    return this.start(`runner-${this.count}`, ['operator', 'run', named, ...words], (_, by) => {
      by.isReady = true;
    });
  }

  row(): Promise<RunRow | undefined> {
    return this.store.run(this.ledger);
  }

  /** How many tasks are done, as the journal says. */
  async countDone(): Promise<number> {
    for (;;) {
      const rows = await this.store.events(this.ledger, this.seen, PAGE);
      this.seen = rows.at(-1)?.seq ?? this.seen;
      this.done += rows.filter(isDone).length;
      if (rows.length < PAGE) return this.done;
    }
  }
}

function isDone({ type, data }: EventRow): boolean {
  return type === 'TaskMoved' && (JSON.parse(data) as { to: string }).to === 'done';
}
