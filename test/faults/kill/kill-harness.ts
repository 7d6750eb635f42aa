import { Seeded } from '../../simulation/seeded.js';
import type { PlantedBug } from '../programs/planted-bugs.js';
import { examineHome } from '../stage/examine-home.js';
import { makePeace } from '../stage/peace.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { Stage } from '../stage/stage.js';
import { type Moment, underWay } from '../stage/under-way.js';
import { pause } from '../stage/waiting.js';
import { Histogram } from './histogram.js';

export type KillOptions = {
  root: string;
  kills: number;
  seed: number;
  planted?: { worker?: PlantedBug; client?: PlantedBug };
  /** How many of the kills hit the client. */
  clientShare?: number;
  keep?: boolean;
};

const SPEED = 3;
const LOAD = { lanes: 6, openMax: 30, paceMs: 30 };
const BETWEEN_KILLS_MS_MAX = 250;
/** How long a kill waits for the moment it is meant for before it takes any. */
const AIM_MS_MAX = 100;
const CLIENT_SHARE = 0.25;
/** Kills that do not wait until the process of the last one has started again. */
const IMPATIENT = 0.15;
/** Kills that hit both workers; for so long nobody drives anything then. */
const ALL_AT_ONCE = 0.15;
const ALONE_MS_MAX = 300;
const WORKER_AIMS: readonly (Moment | 'any')[] = ['any', 'in a commit', 'inside a handoff'];
const CLIENT_AIMS: readonly (Moment | 'any')[] = ['any', 'in a commit', 'waiting for an answer'];

type Cast = { workers: ProgramProcess[]; client: ProgramProcess };
type Scene = { stage: Stage; cast: Cast; chance: Seeded; histogram: Histogram };

/** Two workers and a client on one home; one of them is killed again and again, and started again at once. */
export async function killHarness(options: KillOptions): Promise<Report> {
  const { root, kills, seed, planted, clientShare = CLIENT_SHARE, keep = false } = options;
  const chance = new Seeded(seed);
  const stage = await Stage.set({ root, seed, speed: SPEED, load: LOAD, keep, ...(planted && { planted }) });
  const histogram = new Histogram();
  try {
    const cast: Cast = { workers: [stage.startWorker(), stage.startWorker()], client: stage.startClient('load') };
    for (const process of [...cast.workers, cast.client]) await stage.untilReady(process);
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(chance.below(BETWEEN_KILLS_MS_MAX));
      await strike({ stage, cast, chance, histogram }, clientShare);
    }
    for (const process of [...cast.workers, cast.client]) await stage.untilReady(process);
    const { left } = await makePeace(stage, cast.client, cast.workers);
    const { lost, twice, stale, other, events, batches, runs } = await examineHome(stage);
    return {
      what: `kill -9, ${kills} kills, seed ${seed}`,
      acknowledged: stage.acknowledged.size,
      lost,
      twice,
      problems: [...left.map((one) => `still running: ${one}`), ...stage.problems, ...stale, ...other],
      notes: [
        ...histogram.lines(),
        `${runs} runs, ${events} events in ${batches} commits; ${stage.refused} commands refused, ${stage.unanswered} without an answer and sent again`,
        `${stage.claims.filter(({ from }) => from !== '-').length} takeovers, ${stage.fenced} writes of former owners refused`,
        `processes of agents left: ${left.length === 0 ? 'none' : left.join('; ')}`,
      ],
    };
  } finally {
    await stage.clear();
  }
}

/** One process is killed; or all workers are, and the client goes on alone for a moment. */
async function strike({ stage, cast, chance, histogram }: Scene, clientShare: number): Promise<void> {
  if (chance.chance(clientShare)) {
    histogram.add('client', await killAt(stage, cast.client, chance.pick(CLIENT_AIMS)));
    cast.client = stage.startClient('load');
    if (!chance.chance(IMPATIENT)) await stage.untilReady(cast.client);
    return;
  }
  const all = chance.chance(ALL_AT_ONCE);
  const first = chance.below(cast.workers.length);
  const victims = all ? [first, 1 - first] : [first];
  for (const victim of victims) {
    histogram.add('worker', await killAt(stage, cast.workers[victim] as ProgramProcess, chance.pick(WORKER_AIMS)));
  }
  if (all) await pause(chance.below(ALONE_MS_MAX));
  for (const victim of victims) {
    const next = stage.startWorker();
    cast.workers[victim] = next;
    if (!chance.chance(IMPATIENT)) await stage.untilReady(next);
  }
}

/** Nothing is awaited between the last look and the kill: the moment would be over. */
async function killAt(stage: Stage, victim: ProgramProcess, aim: Moment | 'any'): Promise<Moment> {
  const untilMs = performance.now() + (aim === 'any' ? 0 : AIM_MS_MAX);
  for (;;) {
    const moment = momentOf(stage, victim);
    if (moment === aim || performance.now() >= untilMs) {
      await victim.kill();
      return moment;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function momentOf(stage: Stage, victim: ProgramProcess): Moment {
  if (!victim.isReady) return 'starting';
  const moment = underWay(victim.pid, stage.home);
  return moment === 'between' && victim.name === 'client' && stage.awaited > 0 ? 'waiting for an answer' : moment;
}
