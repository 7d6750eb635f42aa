import { Seeded } from '../../simulation/seeded.js';
import { type JobMoment, jobMoment, killMoments, momentShare } from '../jobs/job-moment.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, endLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { examineOperator } from './examine-operator.js';
import { OperatorStage } from './operator-stage.js';

export type OperatorOptions = KillOptions & {
  tasks: number;
  /** So long nothing may get done in peace. */
  standstillMs?: number;
};

/** A kill comes when its share of the tasks is done, but never waits for longer than this. */
const PACE_MS_MAX = 2_500;
const BETWEEN_KILLS_MS_MAX = 300;
/** How long a kill waits for the moment it is meant for before it takes any. */
const AIM_MS_MAX = 3_000;
const AIMS: readonly (JobMoment | 'any')[] = ['in a handoff', 'in a deed', 'in a deed', 'in a commit', 'any', 'any'];
/** Below the first share a kill waits for a handoff; below the second the harness has not shown what it must. */
const HANDOFF_SHARE_AIM = 0.45;
const HANDOFF_SHARE_MIN = 0.3;
/** The next one is started while the last one still lives. */
const EAGER = 0.25;
const EAGER_MS_MAX = 700;
const SECOND = 0.3;
const BOTH_AT_ONCE = 0.3;
const AGENTS_AS_WELL = 0.3;
/** Kills that do not wait until the runner of the last one has started. */
const IMPATIENT = 0.15;
const READY_MS_MAX = 15_000;
const STANDSTILL_MS_MAX = 90_000;
const STOP_MS_MAX = 20_000;
const GONE_MS_MAX = 5_000;

type Scene = {
  stage: OperatorStage;
  runners: ProgramProcess[];
  chance: Seeded;
  moments: JobMoment[];
  ways: Map<string, number>;
};

/** One plan, run by a program that is killed again and again. */
export async function operatorHarness(options: OperatorOptions): Promise<Report> {
  const { root, kills, tasks, seed, keep = false, bug, standstillMs = STANDSTILL_MS_MAX } = options;
  const stage = await OperatorStage.set({ root, keep, tasks, seed, ...(bug && { bug }) });
  const scene: Scene = { stage, runners: [], chance: new Seeded(seed), moments: [], ways: new Map() };
  try {
    // Both open the plan.
    await startNext(scene);
    await startNext(scene);
    while (scene.moments.length < kills && !(await stage.row())?.ended) {
      await keepPace(scene, kills);
      await strike(scene);
    }
    const left = await makePeace(scene, standstillMs);
    return await report(scene, options, left);
  } finally {
    await stage.clear();
  }
}

/** Kills are spread over the whole plan. */
async function keepPace({ stage, chance, moments }: Scene, kills: number): Promise<void> {
  const share = (stage.planned.plan.tasks.length * moments.length) / kills;
  const untilMs = performance.now() + PACE_MS_MAX;
  while ((await stage.countDone()) < share && performance.now() < untilMs) await pause(20);
  await pause(chance.below(BETWEEN_KILLS_MS_MAX));
}

async function strike(scene: Scene): Promise<void> {
  const { stage, chance, moments } = scene;
  const picked = chance.pick(AIMS);
  const isEager = chance.chance(EAGER);
  if (isEager) {
    tally(scene, 'the next one was started before');
    await startNext(scene);
    await pause(chance.below(EAGER_MS_MAX));
  }
  moments.push(await killAt(scene, momentShare(moments, 'in a handoff') < HANDOFF_SHARE_AIM ? 'in a handoff' : picked));
  if (living(scene).length > 0 && chance.chance(BOTH_AT_ONCE)) {
    tally(scene, 'the other one as well');
    moments.push(await killAt(scene, 'any'));
  }
  // Nobody is left who would take it for a failure of the agent.
  if (living(scene).length === 0 && chance.chance(AGENTS_AS_WELL)) {
    tally(scene, 'its agents as well');
    endLiving(livingAgents(stage.token));
  }
  if (living(scene).length === 0) await startNext(scene);
  if (living(scene).length === 1 && chance.chance(SECOND)) {
    tally(scene, 'afterwards two side by side');
    await startNext(scene);
  }
  if (chance.chance(IMPATIENT)) return;
  await within(READY_MS_MAX, () => living(scene).every((runner) => momentOf(scene, runner) !== 'starting'));
}

async function startNext({ stage, runners, chance }: Scene): Promise<void> {
  runners.push(await stage.startRunner(chance.chance(0.5)));
}

function living({ runners }: Scene): ProgramProcess[] {
  return runners.filter(({ exit }) => exit === undefined);
}

function tally({ ways }: Scene, what: string): void {
  ways.set(what, (ways.get(what) ?? 0) + 1);
}

/** Nothing is awaited between the last look and the kill: the moment would be over. */
async function killAt(scene: Scene, aim: JobMoment | 'any'): Promise<JobMoment> {
  const untilMs = performance.now() + (aim === 'any' ? 0 : AIM_MS_MAX);
  for (;;) {
    const looks = living(scene).map((runner) => ({ runner, moment: momentOf(scene, runner) }));
    const isLate = performance.now() >= untilMs;
    const hit = looks.find(({ moment }) => moment === aim) ?? (isLate ? looks[0] : undefined);
    if (hit) {
      await hit.runner.kill();
      return hit.moment;
    }
    if (looks.length === 0) return 'between'; // everything was done meanwhile
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function momentOf({ stage }: Scene, runner: ProgramProcess): JobMoment {
  const moment = jobMoment(runner.pid, stage.home, (handoff) => stage.agents.hasBegun(handoff));
  return moment === 'between' && !runner.isReady ? 'starting' : moment;
}

/** Everything gets done; then nothing is left of anybody. */
async function makePeace(scene: Scene, standstillMs: number): Promise<string[]> {
  const { stage } = scene;
  if (living(scene).length === 0) await startNext(scene);
  let done = await stage.countDone();
  let movedMs = performance.now();
  while (!(await stage.row())?.ended && performance.now() - movedMs < standstillMs) {
    if (living(scene).length === 0) break; // it has said why
    await pause(100);
    const now = await stage.countDone();
    if (now > done) [done, movedMs] = [now, performance.now()];
  }
  for (const runner of living(scene)) {
    if (await within(STOP_MS_MAX, () => runner.exit !== undefined)) continue;
    stage.problems.push(`${runner.name} did not end: ${runner.last.slice(-5).join(' / ')}`);
    await runner.kill();
  }
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  return describeLiving(livingAgents(stage.token));
}

async function report(scene: Scene, { kills, tasks, seed }: OperatorOptions, left: readonly string[]): Promise<Report> {
  const { stage, moments, ways } = scene;
  const { lost, twice, other, notes } = await examineOperator(stage);
  const share = momentShare(moments, 'in a handoff');
  return {
    what: `operator, kill -9, ${moments.length} kills, ${tasks} tasks, seed ${seed}`,
    acknowledged: await stage.countDone(),
    lost,
    twice,
    problems: [
      ...left.map((one) => `still running: ${one}`),
      ...(moments.length < kills ? [`everything was done after ${moments.length} of ${kills} kills`] : []),
      ...(share < HANDOFF_SHARE_MIN ? [`only ${Math.round(share * 100)} % of the kills were inside a handoff`] : []),
      ...stage.problems,
      ...other,
    ],
    notes: [
      ...killMoments(moments),
      ...[...ways].map(([what, count]) => `${what}: ${count} times`),
      ...notes,
      `processes of agents left: ${left.length === 0 ? 'none' : left.join('; ')}`,
    ],
  };
}
