import { Seeded } from '../../simulation/seeded.js';
import { type JobMoment, jobMoments, killMoments, momentShare } from '../jobs/job-moment.js';
import type { KillOptions } from '../stage/kill-options.js';
import { describeLiving, livingAgents } from '../stage/living-agents.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { Report } from '../stage/report.js';
import { pause, within } from '../stage/waiting.js';
import { SCRIPTS } from './envelope-scripts.js';
import { EnvelopeStage } from './envelope-stage.js';
import { examineEnvelopes } from './examine-envelopes.js';
import { processInPeace, type Undisturbed, undisturbed, untilEnded } from './undisturbed.js';

type Options = KillOptions & {
  /** What every script comes to without kills, where that is known. */
  expected?: Undisturbed;
  /** Envelopes of this script alone, and every kill at this moment. */
  only?: { script: string; moment: JobMoment };
};

const OPEN_MAX = 12;
const BEFORE_KILL_MS_MAX = 1_800;
/** How long a kill waits for the moment it is meant for before it takes any. */
const AIM_MS_MAX = 3_000;
const AIMS: readonly (JobMoment | 'any')[] = ['in a handoff', 'in a deed', 'in a deed', 'in a commit', 'any', 'any'];
/** Below the first share a kill waits for a handoff; below the second the harness has not shown what it must. */
const HANDOFF_SHARE_AIM = 0.4;
const HANDOFF_SHARE_MIN = 0.3;
const SERVER = 0.4;
const ALONE = 0.15;
const BESIDE = 0.3;
/** Of two side by side one is killed, and the other has to come to its end by itself. */
const SPARED = 0.4;
/** Questions that are answered before the next program is started, and of these by `baton answer`. */
const ANSWERED = 0.7;
const BY_INBOX = 0.3;
const GONE_MS_MAX = 5_000;

type Scene = {
  stage: EnvelopeStage;
  chance: Seeded;
  moments: JobMoment[];
  killed: Set<number>;
  ways: Map<string, number>;
};
type Victim = { program: ProgramProcess; epoch: number };

/** Many envelopes under way; whoever works on them is killed again and again, and they are sent again. */
export async function envelopesHarness(options: Options): Promise<Report> {
  const { root, kills, seed, keep = false, bug } = options;
  const grounds = { root, keep, ...(bug && { bug }) };
  const expected = options.expected ?? (await undisturbed(grounds));
  const stage = await EnvelopeStage.set(grounds);
  const scene: Scene = { stage, chance: new Seeded(seed), moments: [], killed: new Set(), ways: new Map() };
  try {
    while (scene.moments.length < kills) {
      await sendMore(scene, options);
      await strike(scene, await startNext(scene), options);
    }
    await processInPeace(stage);
    await within(GONE_MS_MAX, () => livingAgents(stage.token).length === 0);
    const left = describeLiving(livingAgents(stage.token));
    const found = await examineEnvelopes(stage, expected);
    return report(scene, options, left, found);
  } finally {
    await stage.clear();
  }
}

/** What was asked is answered by somebody who heard of it from a program that is dead by now. */
async function sendMore(scene: Scene, { only }: Options): Promise<void> {
  const { stage, chance, killed } = scene;
  for (const envelope of stage.open) {
    const { question } = envelope;
    if (!question || !chance.chance(ANSWERED)) continue;
    const { clarification_pending } = question.envelope;
    const kind = clarification_pending ? 'clarification' : 'confirmation';
    if (killed.has(question.epoch)) tally(scene, `${kind} asked before a kill and answered after it`);
    if (chance.chance(BY_INBOX)) await stage.answerInInbox(envelope);
    else envelope.answer();
  }
  const names = only ? [only.script] : Object.keys(SCRIPTS);
  while (stage.open.length < OPEN_MAX) {
    // Each kind of them first, then any.
    stage.add(names[stage.sent.length] ?? chance.pick(names));
  }
}

async function startNext(scene: Scene): Promise<Victim[]> {
  const { stage, chance } = scene;
  const { open } = stage;
  if (chance.chance(SERVER)) {
    tally(scene, 'a server');
    return [{ program: await stage.startServer(open), epoch: stage.epoch }];
  }
  const start = (envelopes: typeof open): Victim => ({ program: stage.startCommand(envelopes), epoch: stage.epoch });
  if (chance.chance(ALONE)) {
    tally(scene, 'a command for each of three');
    return open.slice(0, 3).map((one) => start([one]));
  }
  tally(scene, 'a command for all of them');
  if (!chance.chance(BESIDE)) return [start(open)];
  tally(scene, 'beside it another one for the same ones');
  return [start(open), start(open.toReversed())];
}

/** All of them are killed, one after the other; now and then the last of two is left to do everything. */
async function strike(scene: Scene, victims: readonly Victim[], { kills, only }: Options) {
  const { stage, chance, moments, killed } = scene;
  const ready = new Set<ProgramProcess>();
  const momentsOf = (program: ProgramProcess): JobMoment[] => {
    const found = jobMoments(program.pid, stage.home, (handoff) => stage.agents.hasBegun(handoff));
    if (found.length > 0) ready.add(program);
    return found.length > 0 ? found : [ready.has(program) ? 'between' : 'starting'];
  };
  const spared = victims.length === 2 && chance.chance(SPARED) ? victims[1] : undefined;
  await pause(chance.below(BEFORE_KILL_MS_MAX));
  let left = victims.filter((victim) => victim !== spared);
  while (left.length > 0) {
    const picked = chance.pick(AIMS);
    const aim = momentShare(moments, 'in a handoff') < HANDOFF_SHARE_AIM ? 'in a handoff' : picked;
    const hit = await killAt(left, momentsOf, only?.moment ?? aim);
    left = left.filter((victim) => victim !== hit?.victim && victim.program.exit === undefined);
    if (!hit) continue;
    killed.add(hit.victim.epoch);
    if (moments.length < kills) moments.push(hit.moment);
    await hit.victim.program.ended;
  }
  if (!spared) return;
  tally(scene, 'which was left, and did what the dead one had begun');
  await untilEnded(stage, spared.program);
}

/** Nothing is awaited between the last look and the kill: the moment would be over. */
async function killAt(
  victims: readonly Victim[],
  momentsOf: (program: ProgramProcess) => JobMoment[],
  aim: JobMoment | 'any',
): Promise<{ victim: Victim; moment: JobMoment } | undefined> {
  const untilMs = performance.now() + (aim === 'any' ? 0 : AIM_MS_MAX);
  for (;;) {
    const living = victims.filter(({ program }) => program.exit === undefined);
    const looks = living.flatMap((victim) => momentsOf(victim.program).map((moment) => ({ victim, moment })));
    const hit = looks.find(({ moment }) => moment === aim) ?? (performance.now() >= untilMs ? looks[0] : undefined);
    hit?.victim.program.signal('SIGKILL');
    if (hit || looks.length === 0) return hit;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function tally({ ways }: Scene, what: string): void {
  ways.set(what, (ways.get(what) ?? 0) + 1);
}

type Found = Awaited<ReturnType<typeof examineEnvelopes>>;

function report(scene: Scene, { seed }: Options, left: readonly string[], found: Found): Report {
  const { stage, moments, ways } = scene;
  const share = momentShare(moments, 'in a handoff');
  const percent = Math.round(share * 100);
  return {
    what: `envelopes, kill -9, ${moments.length} kills, ${percent} % inside an ask, ${stage.sent.length} envelopes, seed ${seed}`,
    acknowledged: found.acknowledged,
    lost: found.lost,
    twice: found.twice,
    problems: [
      ...left.map((one) => `still running: ${one}`),
      ...(share < HANDOFF_SHARE_MIN ? [`only ${percent} % of the kills were inside an ask`] : []),
      ...found.other,
      ...stage.problems,
    ],
    notes: [
      ...killMoments(moments),
      ...[...ways].map(([what, count]) => `${what}: ${count} times`),
      ...found.notes,
      `processes of agents and tools left: ${left.length === 0 ? 'none' : left.join('; ')}`,
    ],
  };
}
