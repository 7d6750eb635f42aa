import type { ProgramProcess } from '../stage/program-process.js';
import { pause } from '../stage/waiting.js';
import { type BridgeMoment, bridgeMoment } from './bridge-moment.js';
import type { BridgePlay, Victim } from './bridge-play.js';
import { livesWith } from './bridge-stage.js';
import { type Aim, type Scene, tally } from './scene.js';

const ANY_MS_MAX = 1_500;
/** How long a kill waits for its moment before it takes any. */
const AIM_MS_MAX = 8_000;
const ASKS = 3;

const AIMS: readonly Aim[] = [
  { victim: 'handler', moment: 'any' },
  { victim: 'handler', moment: 'in a commit' },
  { victim: 'handler', moment: 'orchestrating' },
  { victim: 'handler', moment: 'asked, not ended yet' },
  { victim: 'handler', moment: 'answer not read yet' },
  { victim: 'handler', moment: 'an agent works' },
  { victim: 'orchestrator', moment: 'orchestrating' },
  { victim: 'orchestrator', moment: 'state, no request yet' },
  { victim: 'orchestrator', moment: 'state, no request yet' },
  { victim: 'orchestrator', moment: 'asked, not ended yet' },
  { victim: 'orchestrator', moment: 'answer not read yet' },
  { victim: 'agent', moment: 'an agent works' },
  { victim: 'agent', moment: 'an agent works' },
];

type Target = { pid: number; moment: BridgeMoment; request_id: string | null };

/** Kills one of the three who take part, at a moment that is drawn. Null: it was over before. */
export async function strike(scene: Scene, play: BridgePlay, handler: ProgramProcess): Promise<BridgeMoment | null> {
  const { chance } = scene;
  const { victim, moment } = scene.only ?? chance.pick(AIMS);
  const answered = new Set(play.calls().flatMap(({ request_id, endedMs }) => (endedMs === null ? [] : [request_id])));
  const rounds = play.starts().length + chance.below(Math.max(1, ASKS - answered.size));
  if (moment === 'any') await pause(chance.below(ANY_MS_MAX));
  const untilMs = performance.now() + AIM_MS_MAX;
  while (handler.exit === undefined) {
    const target = targetOf(scene, play, handler, victim);
    const isLate = performance.now() >= untilMs;
    const isDue = moment === 'any' || (target?.moment === moment && play.starts().length > rounds);
    if (target && (isDue || isLate) && killed(target.pid)) {
      note(scene, play, handler, { victim, request_id: target.request_id });
      return target.moment;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return null;
}

/** At whatever moment it is. Null: it is not there to be killed. */
export function strikeNow(
  scene: Scene,
  play: BridgePlay,
  handler: ProgramProcess,
  victim: Victim,
): BridgeMoment | null {
  const target = handler.exit === undefined ? targetOf(scene, play, handler, victim) : null;
  if (!target || !killed(target.pid)) return null;
  note(scene, play, handler, { victim, request_id: target.request_id });
  return target.moment;
}

/** False when it has ended by itself meanwhile. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Nothing is awaited between this and the kill: the moment would be over. */
function targetOf({ stage }: Scene, play: BridgePlay, handler: ProgramProcess, victim: Victim): Target | null {
  const { token, home } = stage;
  const own = play.starts().filter(({ by }) => by === handler.name);
  const start = own.at(-1);
  const orchestrator = start && livesWith(token, start.pid) ? start : null;
  const call = play.calls().at(-1);
  const agent = call && call.endedMs === null && livesWith(token, call.pid) ? call : null;
  const seen = { dir: play.dir, home, handler: handler.pid, orchestrator, agent };
  const moment = own.length === 0 && !agent ? 'starting' : bridgeMoment(seen);
  if (victim === 'handler') return { pid: handler.pid, moment, request_id: null };
  if (victim === 'orchestrator') return orchestrator && { pid: orchestrator.pid, moment, request_id: null };
  if (!agent || play.spared.has(agent.request_id)) return null;
  return { pid: agent.pid, moment, request_id: agent.request_id };
}

type Struck = { victim: Victim; request_id: string | null };

function note(scene: Scene, play: BridgePlay, { name }: ProgramProcess, { victim, request_id }: Struck): void {
  play.kills.push({ victim, atMs: Date.now() });
  if (victim === 'orchestrator') scene.stage.bereft.add(name);
  if (request_id !== null) play.spared.add(request_id);
  tally(scene, `killed: the ${victim}`);
}
