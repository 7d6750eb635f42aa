import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Turn } from '../../../src/testing/index.js';
import { Seeded } from '../../simulation/seeded.js';
import { AgentsStage, answer, bash, exec } from '../agents/agents-stage.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';

/** `open`: while a question waits. `answered`: soon after a yes. `running`: while the command runs that was allowed. */
export type Moment = 'open' | 'answered' | 'running';
const MOMENTS: readonly Moment[] = ['open', 'answered', 'running'];
const AGENTS = ['claude', 'codex'] as const;

export type ApprovalsOptions = KillOptions & {
  /** Where each kill comes; by turns unless told otherwise. */
  moments?: readonly Moment[];
};

const KILLS_OF_A_JOB_MAX = 3;
const OPEN_MS_MAX = 400;
const ANSWERED_MS_MAX = 2_500;
const RUNNING_MS_MAX = 500;
/** Until the next question, line or end. */
const STEP_MS_MAX = 90_000;
const GONE_MS_MAX = 10_000;
const DENIED = 0.3;
const GUIDANCE = 'not before noon';

const COMMAND = 'echo ran >>ran.txt && sleep 0.7 && echo mended >add.js';
const TURNS: readonly Turn[] = [
  { when: { prompt: 'WITH-CLAUDE' }, steps: [bash(COMMAND), answer('add.js')] },
  { when: { prompt: 'WITH-CODEX' }, steps: [exec(COMMAND), answer('add.js')] },
];

type Tally = Record<Moment, number> & { questions: number; yes: number; no: number; lines: number };

/** Jobs one after the other, whose agent asks before its one command; whoever drives them is killed around the answer. */
export async function approvalsHarness(options: ApprovalsOptions): Promise<Report> {
  const { root, kills, seed, keep = false, bug, moments = MOMENTS } = options;
  const stage = await AgentsStage.set({ root, keep, turns: TURNS, ...(bug && { bug }) });
  const tally: Tally = { open: 0, answered: 0, running: 0, questions: 0, yes: 0, no: 0, lines: 0 };
  const chance = new Seeded(seed);
  const scene = { stage, chance, tally, twice: new Set<string>(), problems: [] };
  const planned = Array.from({ length: kills }, (_, index) => moments[index % moments.length] as Moment);
  let jobs = 0;
  try {
    await stage.run('rule', 'add', 'ask', 'echo');
    while (planned.length > 0) {
      const own = planned.splice(0, 1 + chance.below(KILLS_OF_A_JOB_MAX));
      const left = await new AskingJob(scene, `j${jobs}`, AGENTS[jobs % AGENTS.length] ?? 'claude').live(own);
      planned.unshift(...left);
      jobs += 1;
    }
    await stage.run('audit', 'verify');
    const { open, answered, running, questions, yes, no, lines } = tally;
    return {
      what: `approvals, kill -9, ${kills} kills, seed ${seed}`,
      acknowledged: yes + no,
      lost: [],
      twice: [...scene.twice],
      problems: [...scene.problems, ...stage.problems],
      notes: [
        `kills while a question was open ${open}, after a yes ${answered}, while the command ran ${running}`,
        `${jobs} jobs, ${questions} questions, ${yes} times yes, ${no} times no, run ${lines} times`,
      ],
    };
  } finally {
    await stage.clear();
  }
}

type Scene = { stage: AgentsStage; chance: Seeded; tally: Tally; twice: Set<string>; problems: string[] };

class AskingJob {
  private readonly scene: Scene;
  private readonly id: string;
  private readonly agent: (typeof AGENTS)[number];
  private runner: ProgramProcess | undefined;
  private yes = 0;
  private items = new Set<number>();

  constructor(scene: Scene, id: string, agent: (typeof AGENTS)[number]) {
    this.scene = scene;
    this.id = id;
    this.agent = agent;
  }

  /** Returns the kills it did not live to see. */
  async live(moments: readonly Moment[]): Promise<readonly Moment[]> {
    const { stage, chance, tally, problems } = this.scene;
    const prompt = `Mend it WITH-${this.agent.toUpperCase()}`;
    const how = ['--supervisor', 'none', '--check', 'grep -q mended add.js', '--activate'];
    await stage.run('job', 'create', prompt, '--id', this.id, '--agent', this.agent, ...how);
    const denies = chance.chance(DENIED);
    this.drive();
    let killed = 0;
    while (killed < moments.length && (await this.strike(moments[killed] as Moment))) killed += 1;
    if (denies) await this.deny();
    while ((await this.untilAsked()) !== undefined) await this.approve();
    const status = await this.status();
    if (status !== 'SUCCESS')
      problems.push(`${this.agent} ${this.id} is ${status}: ${this.runner?.last.slice(-3).join(' / ')}`);
    await this.runner?.kill();
    await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
    problems.push(...describeLiving(livingAgents(stage.token)).map((one) => `still running after ${this.id}: ${one}`));
    if (this.lines === 0) problems.push(`${this.agent} ${this.id}: what was allowed never ran`);
    // Nobody was asked again who had not been cut off after the yes.
    const calm = !denies && moments.every((moment) => moment === 'open');
    if (calm && this.yes !== 1)
      problems.push(`${this.agent} ${this.id} was allowed ${this.yes} times what it asked once`);
    tally.lines += this.lines;
    tally.questions += this.items.size;
    return moments.slice(Math.max(killed, 1));
  }

  /** False when the job had ended before. */
  private async strike(moment: Moment): Promise<boolean> {
    const { chance, tally } = this.scene;
    if ((await this.untilAsked()) === undefined) return false;
    if (moment === 'open') await pause(chance.below(OPEN_MS_MAX));
    else {
      const before = this.lines;
      await this.approve();
      if (moment === 'running') await within(STEP_MS_MAX, () => this.lines > before);
      await pause(chance.below(moment === 'running' ? RUNNING_MS_MAX : ANSWERED_MS_MAX));
    }
    await this.runner?.kill();
    tally[moment] += 1;
    this.look();
    this.drive();
    return true;
  }

  private async deny(): Promise<void> {
    const item = await this.untilAsked();
    if (item === undefined) return;
    const { stage, tally, problems } = this.scene;
    const before = this.lines;
    await stage.run('answer', `${item}`, '--deny', '--guidance', GUIDANCE);
    tally.no += 1;
    await this.untilAsked();
    if (this.lines > before) problems.push(`${this.agent} ${this.id} ran what was forbidden`);
    const log = await stage.run('job', 'log', this.id);
    if (!log.includes(GUIDANCE)) problems.push(`${this.agent} ${this.id} is not told why not`);
  }

  private async approve(): Promise<void> {
    const item = await this.untilAsked();
    if (item === undefined) return;
    await this.scene.stage.run('answer', `${item}`, '--approve');
    this.yes += 1;
    this.scene.tally.yes += 1;
  }

  private drive(): void {
    this.runner = this.scene.stage.start(['job', 'run', '--watch']);
  }

  /** The item that waits for an answer; undefined when the job has come to rest without one. */
  private async untilAsked(): Promise<number | undefined> {
    const { store } = this.scene.stage;
    const untilMs = performance.now() + STEP_MS_MAX;
    while (performance.now() < untilMs) {
      this.look();
      const open = await store.inbox({ open: true, after: 0, limit: 100 });
      const row = open.find(({ run }) => run === this.id);
      if (row) this.items.add(row.item);
      if (row?.kind === 'exec_approval') return row.item;
      if (row || (await store.run(this.id))?.ended) return undefined;
      await pause(20);
    }
    this.scene.problems.push(
      `${this.agent} ${this.id} neither asks nor ends: ${this.runner?.last.slice(-3).join(' / ')}`,
    );
    return undefined;
  }

  private async status(): Promise<string | undefined> {
    return (await this.scene.stage.store.run(this.id))?.status;
  }

  private look(): void {
    const { twice } = this.scene;
    if (this.lines > this.yes) twice.add(`${this.agent} ${this.id} ran ${this.lines} times on ${this.yes} times yes`);
  }

  private get lines(): number {
    const file = path.join(this.scene.stage.folder, 'home/jobs', this.id, 'workspace/ran.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }
}
