import { Seeded } from '../../simulation/seeded.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { momentLines } from './bridge-moment.js';
import type { BridgePlay } from './bridge-play.js';
import { type ModuleBug, WORKERS } from './bridge-programs.js';
import { BridgeStage } from './bridge-stage.js';
import { examineBridges } from './examine-bridges.js';
import { type Aim, LIKELY, type Scene, tally } from './scene.js';
import { strike } from './strike.js';

type Options = KillOptions & {
  moduleBug?: ModuleBug;
  /** How likely something happens that is otherwise left to chance. */
  likely?: Partial<typeof LIKELY>;
  only?: Aim;
};

const KILLS_PER_PLAY_MAX = 5;
/** Each start answers at least one ask, or was cut off. */
const STARTS_MAX = KILLS_PER_PLAY_MAX + 3;
const END_MS_MAX = 90_000;
const STOP_MS_MAX = 20_000;
const GONE_MS_MAX = 5_000;
const SERVER_MS_MAX = 20_000;

/** Orchestrators with three asks, one after the other; somebody is killed again and again, and the handler started again. */
export async function bridgeHarness({
  root,
  kills,
  seed,
  keep = false,
  likely,
  only,
  ...bugs
}: Options): Promise<Report> {
  const stage = await BridgeStage.set({ root, keep, ...bugs });
  const scene: Scene = {
    ...{ stage, chance: new Seeded(seed), moments: [], ways: new Map(), server: null, only },
    likely: { ...LIKELY, ...likely },
  };
  try {
    while (scene.moments.length < kills) {
      await withOrWithoutServer(scene);
      await playOut(scene, kills);
      // A bug that was planted shows at once, or in something that never ends.
      if (stage.problems.length > 0) break;
    }
    await stopServer(scene);
    await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
    const left = describeLiving(livingAgents(stage.token));
    return await report(scene, seed, left);
  } finally {
    await stage.clear();
  }
}

async function withOrWithoutServer(scene: Scene): Promise<void> {
  const { stage, chance, likely } = scene;
  const isWanted = chance.chance(likely.server);
  if (!isWanted) await stopServer(scene);
  else scene.server ??= await stage.startServer();
  if (isWanted) tally(scene, 'an orchestrator beside a server');
}

async function stopServer(scene: Scene): Promise<void> {
  const { server, stage } = scene;
  scene.server = null;
  if (!server) return;
  server.signal('SIGTERM');
  if (await within(STOP_MS_MAX, () => server.exit !== undefined)) return;
  stage.problems.push(`${server.name} did not stop: ${server.last.slice(-5).join(' / ')}`);
  await server.kill();
}

/** From the first start to the result. */
async function playOut(scene: Scene, kills: number): Promise<void> {
  const { stage, chance, moments } = scene;
  const play = stage.newPlay();
  const worker = chance.pick(WORKERS);
  const killsHere = 1 + chance.below(KILLS_PER_PLAY_MAX);
  for (let start = 0; start < STARTS_MAX && !play.hasEnded; start += 1) {
    makeMischief(scene, play);
    const handler = stage.startHandler(play, worker);
    while (play.kills.length < killsHere && moments.length < kills && handler.exit === undefined) {
      const moment = await strike(scene, play, handler);
      if (moment === null) break;
      moments.push(moment);
      if (play.kills.at(-1)?.victim !== 'agent') break;
    }
    if (!(await untilEnded(stage, handler))) return;
    play.hasEnded = handler.exit?.code === 0;
    if (!play.hasEnded && handler.exit?.signal === null && !stage.bereft.has(handler.name)) return;
    if (handler.exit?.signal && scene.server && chance.chance(scene.likely.leftToServer)) {
      await leaveToServer(scene, play);
    }
  }
}

/** Something that happens in the folder besides; the orchestrator and the handler have to live with it. */
function makeMischief({ stage, chance, likely, ...scene }: Scene, play: BridgePlay): void {
  for (const mischief of ['stale', 'gone'] as const) {
    if (play.done[mischief] > 0 || !chance.chance(likely[mischief])) continue;
    play.done[mischief] += 1;
    stage.programs.plan(play.dir, mischief);
    tally(scene, MISCHIEF[mischief]);
  }
}

const MISCHIEF = {
  stale: 'an answer to something else in place of the answer',
  gone: 'an answer that is gone before it was read',
};

/** It ends what was begun, and then waits for a handler. */
async function leaveToServer(scene: Scene, play: BridgePlay): Promise<void> {
  const { stage } = scene;
  const untilMs = performance.now() + SERVER_MS_MAX;
  while (performance.now() < untilMs) {
    const status = await stage.statusOf(play);
    // Killed once its end was recorded, or before it began again: there is nothing to take over.
    if (status === undefined || status === 'done' || status === 'failed') return;
    if (status === 'interrupted')
      return tally(scene, 'a server took over from a dead handler, and left it to the next');
    await pause(50);
  }
  stage.problems.push(`${play.name}: the server left it ${await stage.statusOf(play)}`);
}

async function untilEnded(stage: BridgeStage, handler: ProgramProcess): Promise<boolean> {
  if (await within(END_MS_MAX, () => handler.exit !== undefined)) {
    await handler.ended;
    return true;
  }
  stage.problems.push(`${handler.name} does not come to its end: ${handler.last.slice(-3).join(' / ')}`);
  await handler.kill();
  return false;
}

async function report({ stage, moments, ways }: Scene, seed: number, left: readonly string[]): Promise<Report> {
  const { acknowledged, lost, twice, other, notes } = await examineBridges(stage);
  return {
    what: `bridge, kill -9, ${moments.length} kills, ${stage.plays.length} orchestrators, seed ${seed}`,
    acknowledged,
    lost,
    twice,
    problems: [...left.map((one) => `still running: ${one}`), ...other, ...stage.problems],
    notes: [
      ...momentLines(moments),
      ...[...ways].sort().map(([what, count]) => `${what}: ${count} times`),
      ...notes,
      `processes left: ${left.length === 0 ? 'none' : left.join('; ')}`,
    ],
  };
}
