import { Seeded } from '../../simulation/seeded.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { Report } from '../stage/report.js';
import { within } from '../stage/waiting.js';
import { examineSession } from './examine-session.js';
import { MOMENTS, type Moment, PlayedSession, type Scene } from './played-session.js';
import { SessionStage } from './session-stage.js';

export type SessionsOptions = KillOptions & {
  /** Where each kill comes; by turns unless told otherwise. */
  moments?: readonly Moment[];
};

const KILLS_OF_A_SESSION_MAX = 3;
const STOP_MS_MAX = 20_000;
const GONE_MS_MAX = 10_000;

/** Sessions one after the other, whose model asks for two commands; the program that drives them is killed around the answers. */
export async function sessionsHarness(options: SessionsOptions): Promise<Report> {
  const { root, kills, seed, keep = false, bug, moments = MOMENTS } = options;
  const stage = await SessionStage.set({ root, keep, ...(bug && { bug }) });
  const tally = { asked: 0, heard: 0, open: 0, sent: 0, answered: 0, running: 0, after: 0 };
  const scene: Scene = {
    ...{ stage, chance: new Seeded(seed), lost: [], twice: [], problems: [] },
    tally: { ...tally, yes: 0, no: 0, byInbox: 0, refused: 0, again: 0 },
    program: await stage.startProgram(),
  };
  const played: PlayedSession[] = [];
  try {
    for (let done = 0; done < kills; ) {
      const wanted = Math.min(kills - done, 1 + scene.chance.below(KILLS_OF_A_SESSION_MAX));
      const own = Array.from({ length: wanted }, (_, index) => moments[(done + index) % moments.length] as Moment);
      const session = new PlayedSession(scene, `s${played.length + 1}`);
      played.push(session);
      done += Math.max(1, await playOut(scene, session, own));
      // A bug that was planted shows at once, or in something that never ends.
      if (scene.lost.length + scene.twice.length + scene.problems.length > 0) break;
    }
    await leave(scene);
    return report(scene, played, `sessions, kill -9, ${kills} kills, seed ${seed}`);
  } finally {
    await stage.clear();
  }
}

async function playOut(scene: Scene, session: PlayedSession, moments: readonly Moment[]): Promise<number> {
  let killed = moments.length;
  try {
    killed = await session.live(moments);
  } catch (failure) {
    scene.problems.push(failure instanceof Error ? failure.message : String(failure));
  }
  session.close();
  const { lost, twice, other } = examineSession(session);
  scene.lost.push(...lost);
  scene.twice.push(...twice);
  scene.problems.push(...other);
  scene.tally.again += session.story.of('exec_approval_request').filter(({ again }) => again === true).length;
  return killed;
}

/** The program is told to stop; then nobody owns anything, nothing is asked, and nothing runs. */
async function leave({ stage, program, problems }: Scene): Promise<void> {
  program.signal('SIGTERM');
  if (!(await within(STOP_MS_MAX, () => program.exit !== undefined))) {
    problems.push(`${program.name} did not stop: ${program.last.slice(-3).join(' / ')}`);
    await program.kill();
  }
  await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
  problems.push(...describeLiving(livingAgents(stage.token)).map((one) => `still running: ${one}`));
  await stage.run('audit', 'verify'); // that it fails is a problem of the stage
  const { items } = await stage.store.runs({ kind: 'session', limit: 1_000 });
  for (const { run, status, owes, wakeAtMs, owner } of items) {
    if (owes || wakeAtMs !== null || owner !== null) problems.push(`${run} is not at rest: ${status} of ${owner}`);
  }
  const open = await stage.store.inbox({ open: true, after: 0, limit: 100 });
  problems.push(...open.map(({ run, key }) => `${run}: ${key} is still asked`));
  const rows = await stage.store.processes.list({});
  problems.push(...rows.map(({ run, pid }) => `the process ${pid} of ${run} is still in the table`));
}

function report(
  { stage, tally, lost, twice, problems }: Scene,
  played: readonly PlayedSession[],
  what: string,
): Report {
  const ways = new Map<string, number>();
  for (const way of stage.ways) ways.set(way, (ways.get(way) ?? 0) + 1);
  const events = played.reduce((sum, { story }) => sum + story.events.length, 0);
  const acknowledged = played.reduce((sum, session) => sum + session.acknowledged.length + 2, 0);
  return {
    ...{ what, lost, twice, acknowledged, problems: [...problems, ...stage.problems] },
    notes: [
      `kills: ${MOMENTS.map((moment) => `${moment} ${tally[moment]}`).join(', ')}`,
      `${played.length} sessions, ${events} events, ${tally.yes} times yes, ${tally.no} times no, ${tally.byInbox} of them by the inbox; put before a person again ${tally.again} times, second answers refused ${tally.refused}`,
      `started on ${[...ways].map(([way, count]) => `${way} ${count}`).join(', ')}`,
    ],
  };
}
