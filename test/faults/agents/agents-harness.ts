import type { JobEvent } from '../../../src/core/job/job-messages.js';
import type { ServedRequest } from '../../../src/testing/index.js';
import { Seeded } from '../../simulation/seeded.js';
import { allRows } from '../stage/examine-home.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { AgentsStage } from './agents-stage.js';

export type AgentsOptions = KillOptions & {
  /** Each kill waits until the tool has had an answer, so that there is something to forget. */
  afterAnswer?: boolean;
};

const KILLS_OF_A_JOB_MAX = 4;
/** A kill comes so late at most after a start, or after the tool has been seen. */
const AFTER_START_MS_MAX = 2_500;
const INSIDE_MS_MAX = 1_200;
const AIMED = 0.7;
const SEEN_MS_MAX = 30_000;
const END_MS_MAX = 180_000;
const GONE_MS_MAX = 10_000;
const HANDOFF_SHARE_MIN = 0.3;
/** What the journal of a killed process may lack, as `KeptUsage` promises. */
const UNKEPT_TOKENS_MAX = 500;
/** Two who count the same text in pieces differ by the rounding of each. */
const ROUNDING_TOKENS_MAX = 2;

type Scene = { stage: AgentsStage; chance: Seeded; inside: boolean[]; afterAnswer: boolean };
type Found = { twice: string[]; problems: string[]; notes: string[] };

/** Jobs one after the other; the program that drives one is killed a few times, and then left to end it. */
export async function agentsHarness({
  root,
  kills,
  seed,
  keep = false,
  bug,
  afterAnswer = false,
}: AgentsOptions): Promise<Report> {
  const stage = await AgentsStage.set({ root, keep, ...(bug && { bug }) });
  const scene: Scene = { stage, chance: new Seeded(seed), inside: [], afterAnswer };
  const found: Found = { twice: [], problems: [], notes: [] };
  try {
    let jobs = 0;
    while (scene.inside.length < kills) {
      jobs += 1;
      const wanted = Math.min(1 + scene.chance.below(KILLS_OF_A_JOB_MAX), kills - scene.inside.length);
      await oneJob(scene, `j${jobs}`, wanted, found);
    }
    await stage.run('audit', 'verify');
    const share = scene.inside.filter(Boolean).length / kills;
    if (share < HANDOFF_SHARE_MIN) found.problems.push(`only ${percent(share)} of the kills were inside a handoff`);
    return {
      what: `agents, kill -9, ${kills} kills, seed ${seed}`,
      acknowledged: jobs,
      lost: [],
      twice: found.twice,
      problems: [...found.problems, ...stage.problems],
      notes: [`${percent(share)} of the kills inside a handoff`, ...found.notes],
    };
  } finally {
    await stage.clear();
  }
}

async function oneJob(scene: Scene, job: string, kills: number, found: Found): Promise<void> {
  const { stage, inside } = scene;
  const before = stage.model.served().length;
  let killed = 0;
  while (killed < kills) {
    const hit = await strike(scene, await stage.drive(job));
    if (hit === undefined) break;
    inside.push(hit);
    killed += 1;
  }
  const last = await stage.drive(job);
  if (!(await within(END_MS_MAX, () => last.exit !== undefined))) {
    found.problems.push(`${job} did not end: ${last.last.slice(-5).join(' / ')}`);
    await last.kill();
    return;
  }
  if (last.exit?.code !== 0) {
    found.problems.push(`${last.name} ${job} ended with ${last.exit?.code}: ${last.last.slice(-5).join(' / ')}`);
  }
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  found.problems.push(...describeLiving(livingAgents(stage.token)).map((one) => `still running after ${job}: ${one}`));
  const served = stage.model.served().slice(before);
  await examine(stage, { job, kills: killed, served }, found);
}

/** Whether it was inside a handoff; undefined when the runner had ended before, and the job with it. */
async function strike({ stage, chance, afterAnswer }: Scene, runner: ProgramProcess): Promise<boolean | undefined> {
  if (afterAnswer) {
    const answers = (): number => stage.model.served().filter(({ complete }) => complete).length;
    const before = answers();
    await within(SEEN_MS_MAX, () => runner.exit !== undefined || answers() > before);
  } else if (chance.chance(AIMED)) {
    await within(SEEN_MS_MAX, () => runner.exit !== undefined || stage.isAsking(runner));
    await pause(chance.below(INSIDE_MS_MAX));
  } else await pause(chance.below(AFTER_START_MS_MAX));
  const inside = stage.isAsking(runner);
  if (runner.exit) return undefined;
  await runner.kill();
  const { signal } = await runner.ended;
  return signal === 'SIGKILL' ? inside : undefined;
}

type Driven = { job: string; kills: number; served: readonly ServedRequest[] };

async function examine(stage: AgentsStage, { job, kills, served }: Driven, found: Found): Promise<void> {
  const shown = await stage.show(job);
  if (!shown) return;
  const { status, reason, metrics } = shown;
  if (status !== 'SUCCESS') found.problems.push(`${job} is ${status}: ${reason}`);
  const rows = (await allRows(stage.store)).filter(({ run }) => run === job);
  const events = rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as JobEvent);
  const ends = events.filter((event) => event.type === 'HandoffEnded' && event.status === 'SUCCESS').length;
  if (ends !== 1) found.twice.push(`${job} succeeded ${ends} times`);
  await land(stage, job, found);
  const least = sum(served.filter(({ complete }) => complete)) - kills * UNKEPT_TOKENS_MAX;
  const most = sum(served) + served.length * ROUNDING_TOKENS_MAX;
  const { tokens } = metrics;
  if (tokens < least || tokens > most) found.problems.push(`${job} counts ${tokens} tokens, not ${least} to ${most}`);
  const cut = served.filter(({ complete }) => !complete).length;
  found.notes.push(`${job}: ${kills} kills, ${served.length} answers, ${cut} cut; ${tokens} tokens of ${sum(served)}`);
}

/** Twice told, it is there once. */
async function land(stage: AgentsStage, job: string, { twice, problems }: Found): Promise<void> {
  stage.git('checkout', '-q', '-B', 'target', 'main');
  await stage.run('job', 'land', job);
  const mended = stage.git('show', 'HEAD:add.js');
  if (mended !== 'mended\n') problems.push(`${job} landed ${JSON.stringify(mended)}`);
  const handoffs = stage.git('log', '--format=%(trailers:key=Baton-Handoff,valueonly)', 'main..HEAD').split('\n');
  const named = handoffs.filter(Boolean);
  if (new Set(named).size !== named.length) twice.push(`${job} landed a handoff twice: ${named}`);
}

function sum(served: readonly ServedRequest[]): number {
  return served.reduce((total, { tokens }) => total + tokens.input + tokens.output, 0);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
