import type { MemoryJournal } from '../../src/store/memory/journal.js';
import type { Fleet } from './fleet.js';
import { kindOf } from './kinds.js';
import type { Seeded } from './seeded.js';
import type { AgentRoom } from './sim-agents.js';
import type { SimClient } from './sim-client.js';
import type { World } from './world.js';

export type Counts = { kills: number; pauses: number; stops: number; drives: number };

const MEMBERS_MAX = 4;
/** At most half an hour ahead or behind. */
const SKEW_MS = 3_600_000;

export type Stage = {
  world: World;
  chance: Seeded;
  journal: MemoryJournal;
  room: AgentRoom;
  fleet: Fleet;
  client: SimClient;
  runs: string[];
  counts: Counts;
};

/** Processes die, stop, sleep, go deaf and lose their clocks; people act; processes come, some for one run only. */
export function makeTrouble(stage: Stage): void {
  const { world, chance, fleet } = stage;
  const again = (): void => {
    if (!fleet.trouble) return;
    world.after(200 + chance.below(5000), again);
    chance.pick(TROUBLES)(stage);
  };
  world.after(500, again);
}

/** People talk to sessions all the time, and answer what those ask: rightly, wrongly, late, twice. */
export function talk(stage: Stage): void {
  const { world, chance, fleet, client, journal, runs } = stage;
  const again = (): void => {
    if (!fleet.trouble) return;
    world.after(chance.below(TALK_MS), again);
    if (runs.length > 0 && chance.chance(0.3)) client.meddle(chance.pick(runs));
    const open = journal.inbox.filter(({ answeredAt }) => answeredAt === null);
    if (open.length === 0 || chance.chance(0.5)) return;
    const question = chance.pick(open);
    const times = chance.chance(0.3) ? 2 : 1;
    for (let time = 0; time < times; time += 1) world.after(chance.below(2000), () => client.decide(question));
  };
  world.after(500, again);
}

const TALK_MS = 1500;

type Trouble = (stage: Stage) => void;

const kill: Trouble = ({ chance, fleet, counts }) => {
  if (fleet.members.length === 0) return;
  counts.kills += 1;
  fleet.kill(chance.pick(fleet.members));
};

const pause: Trouble = ({ chance, fleet, counts }) => {
  const awake = fleet.members.filter(({ process }) => !process.paused);
  if (awake.length === 0) return;
  counts.pauses += 1;
  chance.pick(awake).process.pauseFor(1000 + chance.below(25_000));
};

const stop: Trouble = ({ chance, fleet, counts }) => {
  const going = fleet.members.filter(({ stopping }) => !stopping);
  if (going.length === 0) return;
  counts.stops += 1;
  void fleet.stop(chance.pick(going), chance.below(4000));
};

const distort: Trouble = ({ world, chance, fleet }) => {
  if (fleet.members.length === 0) return;
  const { process } = chance.pick(fleet.members);
  world.note(`${process.name} hears and reads differently`);
  if (chance.chance(0.4)) process.skewMs = (chance.next() - 0.5) * SKEW_MS;
  process.hearing = chance.pick(['good', 'twice', 'deaf']);
  process.feedMs = chance.chance(0.5) ? chance.below(3000) : 0;
};

const act: Trouble = ({ world, chance, client, runs }) => {
  if (runs.length === 0) return;
  const run = chance.pick(runs);
  client.meddle(run);
  // Jobs can be told more things than errands, at more moments.
  if (kindOf(run) === 'job') world.after(chance.below(3000), () => client.meddle(run));
};

/** Some questions are answered while there is trouble still, at once or when they may be over. */
const decide: Trouble = ({ world, chance, client, journal }) => {
  const open = journal.inbox.filter(({ kind, answeredAt }) => kind === 'exec_approval' && answeredAt === null);
  if (open.length === 0) return;
  const row = chance.pick(open);
  world.after(chance.below(4000), () => client.decide(row));
};

const join: Trouble = ({ fleet }) => {
  if (fleet.members.length < MEMBERS_MAX) fleet.start();
};

/** Somebody who wants one run to go on, with a process of his own or one that is there. */
const drive: Trouble = ({ chance, fleet, runs, counts }) => {
  if (runs.length === 0) return;
  const drivers = fleet.members.filter(({ claimsAny, stopping }) => !claimsAny && !stopping);
  const driver = drivers.length === 0 ? fleet.start(false) : chance.pick(drivers);
  counts.drives += 1;
  // Who asked for one run and is told that it failed ends: its process has nothing else to do.
  const run = chance.pick(runs);
  void driver.started.then(() => driver.stopping || driver.engine.drive(run)).catch(() => fleet.kill(driver));
};

const TROUBLES: readonly Trouble[] = [
  kill,
  kill,
  pause,
  pause,
  stop,
  distort,
  act,
  act,
  decide,
  decide,
  join,
  join,
  join,
  drive,
];

/** Nothing fails any more, somebody is there, and a human answers what is asked. */
export function bringPeace({ world, chance, fleet, room, client, journal, counts }: Stage): void {
  world.note('peace');
  fleet.trouble = false;
  room.trouble = false;
  for (const { process } of fleet.members) process.recover();
  const leaving = fleet.members.filter(({ stopping }) => !stopping);
  fleet.start();
  if (leaving.length > 0 && chance.chance(0.5)) {
    counts.stops += 1;
    void fleet.stop(chance.pick(leaving), chance.below(4000));
  }
  const answer = (): void => {
    for (const row of journal.runs.values()) if (!row.ended) client.answer(row, journal.inbox);
    world.after(5000, answer);
  };
  answer();
}
