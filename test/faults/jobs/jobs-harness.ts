import { Seeded } from '../../simulation/seeded.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { examineJobs } from './examine-jobs.js';
import { WORKERS } from './job-agents.js';
import { type JobMoment, jobMoment, killMoments, momentShare } from './job-moment.js';
import { JobStage } from './job-stage.js';

export type JobsOptions = KillOptions;

const OPEN_MAX = 6;
const BETWEEN_KILLS_MS_MAX = 400;
/** How long a kill waits for the moment it is meant for before it takes any. */
const AIM_MS_MAX = 5_000;
const BOTH_AT_ONCE = 0.2;
/** Kills that do not wait until the runner of the last one has started again. */
const IMPATIENT = 0.15;
const AIMS: readonly (JobMoment | 'any')[] = ['in a handoff', 'in a deed', 'in a deed', 'in a commit', 'any', 'any'];
/** Below the first share a kill waits for a handoff; below the second the harness has not shown what it must. */
const HANDOFF_SHARE_AIM = 0.4;
const HANDOFF_SHARE_MIN = 0.3;
const PEACE_MS_MAX = 180_000;
const STOP_MS_MAX = 20_000;
const GONE_MS_MAX = 5_000;

type Scene = { stage: JobStage; runners: ProgramProcess[]; chance: Seeded; moments: JobMoment[] };

/** Two runners on one home and a stream of jobs; one runner, or both, is killed again and again. */
export async function jobsHarness({ root, kills, seed, keep = false, bug }: JobsOptions): Promise<Report> {
  const stage = await JobStage.set({ root, keep, ...(bug && { bug }) });
  const scene: Scene = { stage, runners: [], chance: new Seeded(seed), moments: [] };
  try {
    const stream = { isOpen: true };
    const streaming = createJobs(stage, stream);
    scene.runners = [stage.startRunner(), stage.startRunner()];
    for (const runner of scene.runners) await stage.untilReady(runner);
    while (scene.moments.length < kills) {
      await pause(scene.chance.below(BETWEEN_KILLS_MS_MAX));
      await strike(scene, kills);
    }
    stream.isOpen = false;
    await streaming;
    const left = await makePeace(scene);
    return await report(scene, `jobs, kill -9, ${kills} kills, seed ${seed}`, left);
  } finally {
    await stage.clear();
  }
}

/** There is always something to do, with each kind of agent in turn. */
async function createJobs(stage: JobStage, stream: { isOpen: boolean }): Promise<void> {
  for (let number = 0; stream.isOpen; number += 1) {
    await stage.createJob(WORKERS[number % WORKERS.length] as string);
    while (stream.isOpen && (await stage.open()) >= OPEN_MAX) await pause(50);
  }
}

async function strike({ stage, runners, chance, moments }: Scene, kills: number): Promise<void> {
  const both = moments.length + 1 < kills && chance.chance(BOTH_AT_ONCE);
  const first = chance.below(runners.length);
  const victims = both ? [first, 1 - first] : [first];
  for (const victim of victims) {
    const picked = chance.pick(AIMS);
    const aim = momentShare(moments, 'in a handoff') < HANDOFF_SHARE_AIM ? 'in a handoff' : picked;
    moments.push(await killAt(stage, runners[victim] as ProgramProcess, aim));
  }
  for (const victim of victims) {
    const next = stage.startRunner();
    runners[victim] = next;
    if (!chance.chance(IMPATIENT)) await stage.untilReady(next);
  }
}

/** Nothing is awaited between the last look and the kill: the moment would be over. */
async function killAt(stage: JobStage, victim: ProgramProcess, aim: JobMoment | 'any'): Promise<JobMoment> {
  const untilMs = performance.now() + (aim === 'any' ? 0 : AIM_MS_MAX);
  const hasBegun = (handoff: string): boolean => stage.agents.hasBegun(handoff);
  for (;;) {
    const moment = victim.isReady ? jobMoment(victim.pid, stage.home, hasBegun) : 'starting';
    if (moment === aim || performance.now() >= untilMs) {
      await victim.kill();
      return moment;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** All jobs end; then the runners are told to stop, and nothing is left of anybody. */
async function makePeace({ stage, runners }: Scene): Promise<string[]> {
  stage.agents.makePeace();
  const untilMs = performance.now() + PEACE_MS_MAX;
  while ((await stage.open()) > 0 && performance.now() < untilMs) await pause(100);
  for (const runner of runners) {
    await stage.untilReady(runner);
    runner.signal('SIGINT');
    if (await within(STOP_MS_MAX, () => runner.exit !== undefined)) continue;
    stage.problems.push(`${runner.name} did not stop: ${runner.last.slice(-5).join(' / ')}`);
    await runner.kill();
  }
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  return describeLiving(livingAgents(stage.token));
}

async function report({ stage, moments }: Scene, what: string, left: readonly string[]): Promise<Report> {
  const { lost, twice, other, notes } = await examineJobs(stage);
  const share = momentShare(moments, 'in a handoff');
  return {
    what,
    acknowledged: stage.created.length,
    lost,
    twice,
    problems: [
      ...left.map((one) => `still running: ${one}`),
      ...(share < HANDOFF_SHARE_MIN ? [`only ${Math.round(share * 100)} % of the kills were inside a handoff`] : []),
      ...stage.problems,
      ...other,
    ],
    notes: [
      ...killMoments(moments),
      ...notes,
      `processes of jobs left: ${left.length === 0 ? 'none' : left.join('; ')}`,
    ],
  };
}
