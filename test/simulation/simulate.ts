import { SYSTEM_KIND } from '../../src/core/kernel/system-run.js';
import type { EventRow, RunRow } from '../../src/engine/ports.js';
import { MemoryJournal } from '../../src/store/memory/journal.js';
import { Fleet, type Mutation } from './fleet.js';
import { brokenPromises } from './invariants.js';
import { CASTS, type Cast } from './kinds.js';
import { nodeHasher } from './node-hasher.js';
import { Seeded } from './seeded.js';
import { AgentRoom } from './sim-agents.js';
import { SimClient } from './sim-client.js';
import { bringPeace, type Counts, makeTrouble, type Stage, talk } from './trouble.js';
import { Witness } from './witness.js';
import { World } from './world.js';

const TROUBLE_MS = 120_000;
/** Long enough for every time-out, retry and takeover to have happened several times over, and for clocks set wrong. */
const HEALING_MS = 3_600_000;
/** How long an agent may survive the end of its run. */
const SETTLING_MS = 20_000;
const LEAVING_MS = 60_000;

type Play = Stage & { names: readonly string[] };
export type Result = Counts & {
  problems: string[];
  trace: string[];
  simulatedMs: number;
  asks: number;
};

/** One story: some processes, some errands and jobs or some sessions, two minutes of trouble, then peace, in which everything must come to rest. */
export async function simulate(seed: number, mutation: Mutation = {}, cast?: Cast): Promise<Result> {
  const unhandled: string[] = [];
  const onUnhandled = (problem: unknown) => void unhandled.push(`nobody handles: ${problem}`);
  process.on('unhandledRejection', onUnhandled);
  try {
    const result = await tell(seed, mutation, cast ?? mutation.cast ?? 'work');
    return { ...result, problems: [...new Set([...unhandled, ...result.problems])] };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

async function tell(seed: number, mutation: Mutation, cast: Cast): Promise<Result> {
  const stage = setUp(seed, mutation, cast);
  const { world, fleet, room, counts } = stage;
  const startedMs = world.nowMs;
  fleet.start();
  fleet.start();
  submitRuns(stage);
  makeTrouble(stage);
  if (cast === 'sessions') talk(stage);
  await world.runUntil(() => false, TROUBLE_MS);
  const problems = brokenPromises(stage);
  const told = () => ({ trace: world.diary, simulatedMs: world.nowMs - startedMs, asks: room.asked.length, ...counts });
  // What is broken already may never come to rest.
  if (problems.length > 0) return { problems, ...told() };

  bringPeace(stage);
  const rested = await world.runUntil(() => isAtRest(stage), HEALING_MS);
  if (!rested) problems.push(`not at rest after an hour of peace: ${describeUnrest(stage)}`);
  await world.runUntil(() => room.working.size === 0, SETTLING_MS);
  for (const { run, key } of room.working) problems.push(`${run} is at rest and ${key} still works`);
  for (const member of fleet.members) if (!member.stopping) void fleet.stop(member, 1000);
  await world.runUntil(() => fleet.members.length === 0, LEAVING_MS);
  for (const { process } of fleet.members) problems.push(`${process.name} does not stop`);
  problems.push(...brokenPromises(stage));
  return { problems, ...told() };
}

function setUp(seed: number, mutation: Mutation, cast: Cast): Stage & { witness: Witness; names: string[] } {
  const chance = new Seeded(seed);
  const world = new World(chance);
  const journal = new MemoryJournal(nodeHasher);
  let noted = 0;
  journal.listeners.add(() => {
    for (; noted < journal.rows.length; noted += 1) {
      const { run, seq, type, actor, epoch, data } = journal.rows[noted] as EventRow;
      world.note(`${run} ${seq} ${type} by ${actor}, epoch ${epoch}: ${data}`);
      client.calm.hear({ run, type, data });
    }
  });
  const witness = new Witness(world);
  const room = new AgentRoom(world, chance, journal, witness);
  const fleet = new Fleet(world, chance, journal, room, witness, mutation);
  const client = new SimClient(world, chance, fleet);
  const counts = { kills: 0, pauses: 0, stops: 0, drives: 0 };
  const names = Object.entries(CASTS[cast]).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `${kind}-${index}`),
  );
  return { world, chance, journal, room, fleet, client, runs: [], counts, witness, names };
}

function submitRuns({ world, chance, client, runs, names }: Play): void {
  for (const run of names) {
    // Sessions are there early: people need time to talk.
    world.after(chance.below(TROUBLE_MS * (run.startsWith('session') ? 0.2 : 0.9)), () => {
      client.submit(run, runs);
      runs.push(run);
    });
  }
}

function isAtRest({ journal, client, names }: Play): boolean {
  return (
    client.waiting.length === 0 &&
    names.every((run) => journal.runs.has(run)) &&
    [...journal.runs.values()].every((row) => !isRestless(row, client))
  );
}

/** Housekeeping never ends; a session has nothing to do once its last input was answered. */
function isRestless({ run, kind, ended, owes, wakeAtMs }: RunRow, { calm }: SimClient): boolean {
  if (kind === 'session') return owes || wakeAtMs !== null || !calm.isDone(run);
  return owes || (!ended && kind !== SYSTEM_KIND);
}

function describeUnrest({ journal, client }: Play): string {
  const rows = [...journal.runs.values()].filter((row) => isRestless(row, client));
  const described = rows.map(({ run, status, owner, owes }) => `${run} is ${status}, owner ${owner}, owes ${owes}`);
  return [...described, `without answer: ${client.waiting.join(', ') || 'nothing'}`].join('; ');
}
