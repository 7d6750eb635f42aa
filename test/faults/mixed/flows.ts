import type { Seeded } from '../../simulation/seeded.js';
import type { BridgePlay } from '../bridge/bridge-play.js';
import { WORKERS as HANDLED_BY } from '../bridge/bridge-programs.js';
import { SCRIPTS } from '../envelopes/envelope-scripts.js';
import { SUPERVISOR, WORKERS } from '../jobs/job-agents.js';
import { wasLeft } from '../jobs/program-stage.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { pause, within } from '../stage/waiting.js';
import { HttpSession } from './http-session.js';
import type { KeyedClient } from './keyed-client.js';
import type { MixedStage } from './mixed-stage.js';

export type Scene = {
  stage: MixedStage;
  chance: Seeded;
  client: KeyedClient;
  /** No more is begun; what was begun comes to its end. */
  isOpen: boolean;
  /** Orders that were acknowledged, by the words that only they have. */
  orders: Map<string, string>;
  sessions: HttpSession[];
  bridge: { play: BridgePlay; handler: ProgramProcess } | null;
  command: ProgramProcess | null;
  operator: ProgramProcess | null;
  problems: string[];
};

const JOBS_OPEN_MAX = 3;
const ENVELOPES_OPEN_MAX = 4;
const BY_COMMAND = 0.4;
const DENIES = 0.25;
const END_MS_MAX = 180_000;
const LOOK_EVERY_MS = 100;

/** All that goes on at once; resolves when it is over. */
export async function flow(scene: Scene): Promise<void> {
  const flows = { jobs, plan, envelopes, bridges, sessions };
  await Promise.all(
    Object.entries(flows).map(async ([name, run]) => {
      try {
        await run(scene);
      } catch (failure) {
        scene.problems.push(`${name}: ${failure instanceof Error ? failure.message : String(failure)}`);
      }
    }),
  );
}

async function jobs(scene: Scene): Promise<void> {
  const { stage, client, orders } = scene;
  const { jobs } = stage;
  for (let number = 1; scene.isOpen; number += 1) {
    const words = `order ${number} of ${jobs.token}`;
    const worker = WORKERS[number % WORKERS.length] as string;
    const order = {
      ...{ prompt: `Write the result, ${words}`, name: words, activate: true, repo: jobs.repository.folder },
      ...{ agent: jobs.nameOf(worker), supervisor: jobs.nameOf(SUPERVISOR), checks: [jobs.agents.command('check')] },
    };
    const { status, body } = await client.send('/api/v1/jobs', order, `job-${number}`);
    const made = body as { id?: string; run_id?: string };
    const run = made.run_id ?? made.id;
    if (status >= 400 || run === undefined) throw new Error(`${words} was refused: ${JSON.stringify(body)}`);
    orders.set(words, run);
    jobs.created.push(run);
    while (scene.isOpen && (await jobs.open()) >= JOBS_OPEN_MAX) await pause(LOOK_EVERY_MS);
  }
  await untilHolds('the jobs end', async () => (await jobs.open()) === 0);
}

/** Until it is done, whoever has begun it. */
async function plan(scene: Scene): Promise<void> {
  const { operator } = scene.stage;
  while (!(await operator.row())?.ended) {
    const runner = await operator.startRunner(scene.chance.chance(0.5));
    scene.operator = runner;
    if (!(await within(END_MS_MAX * 10, () => runner.exit !== undefined)))
      throw new Error(`${runner.name} does not end: ${runner.last.slice(-3).join(' / ')}`);
    const { code, signal } = await runner.ended;
    if (code !== 0 && signal === null && !wasLeft(runner)) return;
  }
}

/** To the server, or with a command of their own; what is asked is answered with the next sending. */
async function envelopes(scene: Scene): Promise<void> {
  const { stage, chance } = scene;
  const { envelopes } = stage;
  const names = Object.keys(SCRIPTS);
  const untilMs = () => performance.now() + END_MS_MAX;
  for (let lastMs = untilMs(); scene.isOpen || envelopes.open.length > 0; ) {
    while (scene.isOpen && envelopes.open.length < ENVELOPES_OPEN_MAX) {
      envelopes.add(names[envelopes.sent.length] ?? chance.pick(names));
    }
    if (scene.isOpen) lastMs = untilMs();
    if (performance.now() > lastMs) throw new Error(`${envelopes.open.map(({ id }) => id)} do not come to their end`);
    for (const envelope of envelopes.open) if (envelope.question) envelope.answer();
    if (stage.url !== '' && !chance.chance(BY_COMMAND)) {
      envelopes.epoch += 1;
      await envelopes.sendTo(stage.url, envelopes.open, envelopes.epoch);
      await pause(LOOK_EVERY_MS);
      continue;
    }
    scene.command = envelopes.startCommand(envelopes.open);
    if (!(await within(END_MS_MAX, () => scene.command?.exit !== undefined))) {
      throw new Error(`${scene.command.name} does not come to its end: ${scene.command.last.slice(-3).join(' / ')}`);
    }
    await scene.command.ended;
    scene.command = null;
  }
}

/** One orchestrator after the other, each with handlers until one of them ends well. */
async function bridges(scene: Scene): Promise<void> {
  const { stage, chance } = scene;
  while (scene.isOpen) {
    const play = stage.bridges.newPlay();
    const worker = chance.pick(HANDLED_BY);
    while (!play.hasEnded) {
      const handler = stage.bridges.startHandler(play, worker);
      scene.bridge = { play, handler };
      if (!(await within(END_MS_MAX, () => handler.exit !== undefined)))
        throw new Error(`${handler.name} does not come to its end: ${handler.last.slice(-3).join(' / ')}`);
      const { code, signal } = await handler.ended;
      play.hasEnded = code === 0;
      const isBereft = stage.bridges.bereft.has(handler.name) || wasLeft(handler);
      if (!play.hasEnded && signal === null && !isBereft) return;
    }
  }
}

async function sessions(scene: Scene): Promise<void> {
  const { stage, chance, client } = scene;
  while (scene.isOpen) {
    const cwd = stage.sessions.newFolder(`h${scene.sessions.length + 1}`);
    const session = new HttpSession(client, cwd, chance.chance(DENIES));
    scene.sessions.push(session);
    await session.live();
  }
}

async function untilHolds(what: string, holds: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + END_MS_MAX;
  while (!(await holds())) {
    if (performance.now() > untilMs) throw new Error(`waited in vain until ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
