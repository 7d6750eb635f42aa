import { localToken } from '../../../src/settings/server-file.js';
import { Seeded } from '../../simulation/seeded.js';
import { LIKELY } from '../bridge/scene.js';
import { strikeNow } from '../bridge/strike.js';
import { type Undisturbed, undisturbed } from '../envelopes/undisturbed.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { examineMixed } from './examine-mixed.js';
import { flow, type Scene } from './flows.js';
import { KeyedClient } from './keyed-client.js';
import { MixedStage } from './mixed-stage.js';

type Options = KillOptions & {
  expected?: Undisturbed;
  /** How far it is, every now and then. */
  tell?(line: string): void;
};

const VICTIMS = ['server', 'job runner', 'operator', 'command', 'handler', 'orchestrator', 'agent'] as const;
type Victim = (typeof VICTIMS)[number];
/** As often as it stands here. */
const DRAWN: readonly Victim[] = [
  ...(['server', 'server', 'server', 'job runner', 'job runner', 'operator', 'operator'] as const),
  ...(['command', 'handler', 'orchestrator', 'agent'] as const),
];
const TASKS_MIN = 12;
const TASKS_PER_KILL = 0.4;
const BETWEEN_KILLS_MS_MAX = 1_200;
/** Runners that are not left alone until they have started. */
const IMPATIENT = 0.2;
const TELL_EVERY_KILLS = 50;
const AIM_MS_MAX = 1_500;
const STOP_MS_MAX = 30_000;
const GONE_MS_MAX = 10_000;

type Cast = { server: ProgramProcess; runner: ProgramProcess; kills: Map<Victim, number> };

/** Jobs, a plan, envelopes, bridges and sessions at once on one home; somebody of them is killed again and again. */
export async function mixedHarness(options: Options): Promise<Report> {
  const { root, kills, seed, keep = false, bug } = options;
  const grounds = { root, keep, ...(bug && { bug }) };
  const expected = options.expected ?? (await undisturbed({ root, keep: false }));
  const tasks = Math.max(TASKS_MIN, Math.round(kills * TASKS_PER_KILL));
  const stage = await MixedStage.set({ ...grounds, tasks, seed });
  const chance = new Seeded(seed);
  const client = new KeyedClient(stage, () => localToken(stage.home), new Seeded(seed + 1));
  const scene: Scene = {
    ...{ stage, chance: new Seeded(seed + 2), client, isOpen: true, orders: new Map(), sessions: [] },
    ...{ bridge: null, command: null, operator: null, problems: [] },
  };
  try {
    const cast = await startAll(stage);
    const flowing = flow(scene);
    for (let killed = 0; killed < kills && scene.problems.length === 0; ) {
      await pause(chance.below(BETWEEN_KILLS_MS_MAX));
      if (!(await strike(scene, cast, chance.pick(DRAWN)))) continue;
      killed += 1;
      if (killed % TELL_EVERY_KILLS === 0)
        options.tell?.(`${killed} of ${kills} kills, ${scene.orders.size} jobs so far`);
    }
    scene.isOpen = false;
    for (const { agents } of [stage.jobs, stage.envelopes]) agents.makePeace();
    await flowing;
    await leave(scene, cast);
    return await report(scene, cast, { seed, expected });
  } finally {
    await stage.clear();
  }
}

async function startAll(stage: MixedStage): Promise<Cast> {
  return { server: await stage.startServer(), runner: stage.jobs.startRunner(), kills: new Map() };
}

/** False when the one that was drawn is not there just now. */
async function strike(scene: Scene, cast: Cast, victim: Victim): Promise<boolean> {
  const { stage } = scene;
  const isHit = await kill(scene, cast, victim);
  if (!isHit) return false;
  cast.kills.set(victim, (cast.kills.get(victim) ?? 0) + 1);
  if (victim === 'server') cast.server = await stage.startServer();
  if (victim === 'job runner') {
    cast.runner = stage.jobs.startRunner();
    if (!scene.chance.chance(IMPATIENT)) await stage.jobs.untilReady(cast.runner);
  }
  return true;
}

async function kill(scene: Scene, cast: Cast, victim: Victim): Promise<boolean> {
  const { stage, bridge, command, operator } = scene;
  switch (victim) {
    case 'server':
      stage.url = '';
      return end(scene, cast.server);
    case 'job runner':
      return end(scene, cast.runner);
    case 'operator':
      return operator !== null && end(scene, operator);
    case 'command':
      return command !== null && end(scene, command);
    default: {
      const own = { stage: stage.bridges, chance: scene.chance, moments: [], ways: new Map(), likely: LIKELY };
      const hit = () =>
        bridge !== null &&
        strikeNow({ ...own, server: null, only: undefined }, bridge.play, bridge.handler, victim) !== null;
      // They live for a moment only.
      return within(AIM_MS_MAX, hit);
    }
  }
}

/** Whoever takes part may have had an ask of a bridge in its hands. */
async function end({ bridge }: Scene, program: ProgramProcess): Promise<boolean> {
  if (program.exit !== undefined) return false;
  bridge?.play.kills.push({ victim: 'handler', atMs: Date.now() });
  await program.kill();
  return program.exit !== undefined && (program.exit as { signal: string | null }).signal === 'SIGKILL';
}

/** Everybody is told to stop, and nothing is left of anybody. */
async function leave({ stage, problems }: Scene, { server, runner }: Cast): Promise<void> {
  const names: [ProgramProcess, NodeJS.Signals][] = [
    [runner, 'SIGINT'],
    [server, 'SIGTERM'],
  ];
  for (const [program, signal] of names) {
    if (program.exit === undefined) program.signal(signal);
    if (await within(STOP_MS_MAX, () => program.exit !== undefined)) continue;
    problems.push(`${program.name} did not stop: ${program.last.slice(-3).join(' / ')}`);
    await program.kill();
  }
  const left = () => stage.tokens.flatMap((token) => livingAgents(token));
  await within(GONE_MS_MAX, () => left().length === 0);
  problems.push(...describeLiving(left()).map((one) => `still running: ${one}`));
}

async function report(
  scene: Scene,
  { kills }: Cast,
  { seed, expected }: { seed: number; expected: Undisturbed },
): Promise<Report> {
  const { stage, client, problems } = scene;
  const { lost, twice, other, notes } = await examineMixed(scene, expected);
  const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
  return {
    what: `mixed, kill -9, ${total} kills, seed ${seed}`,
    ...{ acknowledged: client.acknowledged, lost, twice },
    problems: [...problems, ...client.problems, ...stage.problems, ...other],
    notes: [
      `killed: ${VICTIMS.map((victim) => `${victim} ${kills.get(victim) ?? 0}`).join(', ')}`,
      `${scene.orders.size} jobs, ${client.acknowledged} commands with keys acknowledged, ${client.repeated} times sent again`,
      ...notes,
    ],
  };
}
