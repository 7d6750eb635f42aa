import { MemoryJournal } from '../../src/store/memory/journal.js';
import { Fleet, type Mutation } from './fleet.js';
import { brokenPromises } from './invariants.js';
import { nodeHasher } from './node-hasher.js';
import { Seeded } from './seeded.js';
import { AgentRoom } from './sim-agents.js';
import { SimClient } from './sim-client.js';
import { World } from './world.js';

const ERRANDS = 4;
const TROUBLE_MS = 120_000;
/** Long enough for every time-out, retry and takeover to have happened several times over. */
const HEALING_MS = 3_600_000;

export type Result = {
  problems: string[];
  trace: string[];
  simulatedMs: number;
  kills: number;
  pauses: number;
  asks: number;
};

/** One story: some processes, some errands, two minutes of trouble, then peace, in which everything must come to rest. */
export async function simulate(seed: number, mutation: Mutation = {}): Promise<Result> {
  const chance = new Seeded(seed);
  const world = new World(chance);
  const journal = new MemoryJournal(nodeHasher);
  const room = new AgentRoom(world, chance);
  const fleet = new Fleet(world, chance, journal, room, mutation);
  const client = new SimClient(world, chance, fleet);
  const startedMs = world.nowMs;
  const counts = { kills: 0, pauses: 0 };

  fleet.start();
  fleet.start();
  const runs: string[] = [];
  for (let index = 0; index < ERRANDS; index += 1) {
    const run = `run-${index}`;
    world.after(chance.below(TROUBLE_MS / 4), () => {
      client.submit(run, runs);
      runs.push(run);
    });
  }
  makeTrouble(world, chance, fleet, client, runs, counts);
  await world.runUntil(() => world.nowMs >= startedMs + TROUBLE_MS, TROUBLE_MS + 1);
  const problems = brokenPromises(journal, client, room);

  bringPeace(world, fleet, room, client, journal);
  const rested = await world.runUntil(() => isAtRest(journal, client, runs), HEALING_MS);
  problems.push(...brokenPromises(journal, client, room));
  if (!rested) problems.push(`not at rest after an hour of peace: ${describeUnrest(journal, client)}`);
  const trace = journal.rows.map(
    ({ position, run, type, actor, epoch }) => `${position} ${run} ${type} ${actor} ${epoch}`,
  );
  return { problems: [...new Set(problems)], trace, simulatedMs: world.nowMs - startedMs, asks: room.asks, ...counts };
}

type Counts = { kills: number; pauses: number };

function makeTrouble(
  world: World,
  chance: Seeded,
  fleet: Fleet,
  client: SimClient,
  runs: readonly string[],
  counts: Counts,
): void {
  const again = (): void => {
    if (!fleet.trouble) return;
    world.after(200 + chance.below(6000), again);
    const victim = fleet.members.length > 0 ? chance.pick(fleet.members) : undefined;
    const what = chance.next();
    if (what < 0.3 && victim) {
      counts.kills += 1;
      fleet.kill(victim);
    } else if (what < 0.45 && victim && !victim.process.paused) {
      counts.pauses += 1;
      victim.process.pause();
      world.after(1000 + chance.below(25_000), () => victim.process.resume());
    } else if (what < 0.55 && victim) victim.process.skewMs = (chance.next() - 0.5) * 7_200_000;
    else if (what < 0.7 && runs.length > 0) client.act(chance.pick(runs), chance.pick(['Approve', 'Cancel', 'Raise']));
    else if (fleet.members.length < 3) fleet.start();
  };
  world.after(500, again);
}

/** Nothing fails any more, somebody is there, and a human answers what is asked. */
function bringPeace(world: World, fleet: Fleet, room: AgentRoom, client: SimClient, journal: MemoryJournal): void {
  fleet.trouble = false;
  room.trouble = false;
  for (const member of fleet.members) {
    member.process.skewMs = 0;
    if (member.process.paused) member.process.resume();
  }
  fleet.start();
  const answer = (): void => {
    for (const run of journal.runs.values()) {
      if (run.status === 'needs-human') client.act(run.run, run.waitingFor === 'limit' ? 'Raise' : 'Approve');
    }
    world.after(5000, answer);
  };
  answer();
}

function isAtRest(journal: MemoryJournal, client: SimClient, runs: readonly string[]): boolean {
  return (
    runs.length === ERRANDS &&
    client.waiting.length === 0 &&
    journal.runs.size === ERRANDS &&
    [...journal.runs.values()].every(({ ended, owes }) => ended && !owes)
  );
}

function describeUnrest(journal: MemoryJournal, client: SimClient): string {
  const rows = [...journal.runs.values()].filter(({ ended, owes }) => !ended || owes);
  const described = rows.map(({ run, status, owner, owes }) => `${run} is ${status}, owner ${owner}, owes ${owes}`);
  return [...described, `without answer: ${client.waiting.join(', ') || 'nothing'}`].join('; ');
}
