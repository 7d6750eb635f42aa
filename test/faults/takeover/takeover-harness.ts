import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { Seeded } from '../../simulation/seeded.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { examineHome } from '../stage/examine-home.js';
import { agentsOf, describeLiving, isAlive, livingAgents } from '../stage/living-agents.js';
import { makePeace } from '../stage/peace.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { Stage } from '../stage/stage.js';
import { holdsWriteLock, isStopped } from '../stage/under-way.js';
import { pause, within } from '../stage/waiting.js';
import { overlaps } from './overlaps.js';

export type TakeoverOptions = { root: string; pauses: number; seed: number; sourceBug?: SourceBug; keep?: boolean };

/** Ten seconds of silence become two. */
const SPEED = 5;
const LOAD = { lanes: 6, openMax: 40, paceMs: 20 };
/** Until an owner has agents to lose. */
const BUSY_MS_MAX = 15_000;
const STOPPED_MS_MAX = 2_000;
const TAKEN_MS_MAX = 20_000;
/** The stopped one goes on at once, in the middle of the takeover, or long after it. */
const CONTINUE_AFTER_MS = [0, 0, 5, 20, 60, 150, 400];
const ENDED_MS_MAX = 30_000;
const BETWEEN_MS_MAX = 100;

type Tally = { takeovers: number; blocked: number; agentsLeft: number; overlapping: string[] };

/** Two workers and a client; one worker is stopped until it counts as dead, and then goes on as if nothing had been. */
export async function takeoverHarness(options: TakeoverOptions): Promise<Report> {
  const { root, pauses, seed, sourceBug, keep = false } = options;
  const chance = new Seeded(seed);
  const stage = await Stage.set({ root, seed, speed: SPEED, load: LOAD, keep, ...(sourceBug && { sourceBug }) });
  const tally: Tally = { takeovers: 0, blocked: 0, agentsLeft: 0, overlapping: [] };
  try {
    const workers = [stage.startWorker(), stage.startWorker()] as const;
    const client = stage.startClient('load');
    for (const process of [...workers, client]) await stage.untilReady(process);
    while (tally.takeovers < pauses && stage.problems.length === 0) {
      const worker = await busyWorker(stage, workers, chance);
      if (worker === undefined) {
        stage.problems.push('no worker has an agent any more');
        break;
      }
      await stopUntilTakenOver(stage, worker, chance.pick(CONTINUE_AFTER_MS), tally);
      await pause(chance.below(BETWEEN_MS_MAX));
    }
    const { left } = await makePeace(stage, client, workers);
    const { lost, twice, stale, other, events, runs } = await examineHome(stage);
    return {
      what: `takeover, ${tally.takeovers} pauses past the silence limit, seed ${seed}`,
      acknowledged: stage.acknowledged.size,
      lost,
      twice,
      problems: [...stale, ...left.map((one) => `still running: ${one}`), ...stage.problems, ...other],
      notes: [
        `${runs} runs, ${events} events; ${stage.claims.filter(({ from }) => from !== '-').length} runs taken over`,
        `stale writes accepted = ${stale.length}, refused = ${stage.fenced}`,
        `agents of stopped workers alive at the takeover: ${tally.agentsLeft}, all ended`,
        `stopped inside a commit, which blocks every writer, and continued at once: ${tally.blocked}`,
        `two asks of one run alive at once: ${tally.overlapping.length}${tally.overlapping.length > 0 ? `, such as ${tally.overlapping[0]}` : ''}`,
      ],
    };
  } finally {
    await stage.clear();
  }
}

/** One that has something to lose. */
async function busyWorker(
  stage: Stage,
  workers: readonly ProgramProcess[],
  chance: Seeded,
): Promise<ProgramProcess | undefined> {
  let busy: ProgramProcess[] = [];
  await within(BUSY_MS_MAX, () => {
    busy = workers.filter(({ pid }) => agentsOf(pid, stage.token).length > 0);
    return busy.length > 0;
  });
  return busy.length > 0 ? chance.pick(busy) : undefined;
}

async function stopUntilTakenOver(
  stage: Stage,
  worker: ProgramProcess,
  continueAfterMs: number,
  tally: Tally,
): Promise<void> {
  await stopOutsideCommit(stage, worker, tally);
  if (!(await ownsSomething(stage.home, worker.name))) return worker.signal('SIGCONT');
  const agents = agentsOf(worker.pid, stage.token);
  const before = stage.claims.length;
  const taken = (): boolean => stage.claims.slice(before).some(({ from }) => from === worker.name);
  const wasTaken = await within(TAKEN_MS_MAX, () => taken() || worker.exit !== undefined);
  await pause(continueAfterMs);
  tally.agentsLeft += agents.filter(isAlive).length;
  worker.signal('SIGCONT');
  if (!wasTaken) return void stage.problems.push(`nobody took over from ${worker.name}, which was stopped`);
  tally.takeovers += 1;
  const ended = await within(ENDED_MS_MAX, () => {
    tally.overlapping.push(...overlaps(livingAgents(stage.token)));
    return !agents.some(isAlive);
  });
  if (!ended) stage.problems.push(`not ended: ${describeLiving(agents.filter(isAlive)).join('; ')}`);
}

/** What it did when it was chosen may have ended before it was stopped: then there is nothing to take from it. */
async function ownsSomething(home: string, worker: string): Promise<boolean> {
  const store = await openSqliteStore({ home, writer: 'main' });
  try {
    return (await store.ownedBy(worker)).length > 0;
  } finally {
    await store.close();
  }
}

/** A process stopped while it holds the write lock stops every writer: said in the docs, and nothing to learn here. */
async function stopOutsideCommit(stage: Stage, worker: ProgramProcess, tally: Tally): Promise<void> {
  for (;;) {
    worker.signal('SIGSTOP');
    await within(STOPPED_MS_MAX, () => isStopped(worker.pid));
    if (!holdsWriteLock(worker.pid, stage.home)) return;
    tally.blocked += 1;
    worker.signal('SIGCONT');
    await pause(2);
  }
}
