import { errandDecider } from '../../src/core/errand/errand-decider.js';
import { jobDecider } from '../../src/core/job/job-decider.js';
import type { Decider } from '../../src/core/kernel/decider.js';
import { sessionDecider } from '../../src/core/session/session-decider.js';
import { systemDecider } from '../../src/core/system/system-decider.js';
import { Engine } from '../../src/engine/engine.js';
import { Machines } from '../../src/engine/machines.js';
import type { EventStore, Ports } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { type Faults, MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Cast } from './kinds.js';
import { nodeHasher } from './node-hasher.js';
import type { Seeded } from './seeded.js';
import type { AgentRoom } from './sim-agents.js';
import { composersFor, deedsFor } from './sim-deeds.js';
import { SimProcess } from './sim-process.js';
import { sessionReaders } from './sim-session.js';
import { watchedStore } from './sim-store.js';
import type { Witness } from './witness.js';
import type { World } from './world.js';

export type Member = {
  process: SimProcess;
  engine: Engine;
  ports: Ports;
  claimsAny: boolean;
  started: Promise<void>;
  /** Has started, so that people may use it. */
  ready: boolean;
  stopping: boolean;
};
type ErrandMachine = typeof errandDecider;
type JobMachine = typeof jobDecider;
type SessionMachine = typeof sessionDecider;

/** What a planted bug may replace. */
export type Mutation = {
  store?: (store: EventStore, journal: MemoryJournal) => EventStore;
  ports?: (ports: Ports) => Ports;
  machine?: (machine: ErrandMachine) => ErrandMachine;
  job?: (machine: JobMachine) => JobMachine;
  session?: (machine: SessionMachine) => SessionMachine;
  system?: (machine: typeof systemDecider) => typeof systemDecider;
  engine?: (engine: Engine) => void;
  /** In whose stories it shows. */
  cast?: Cast;
};

/** Beyond its grace a stopping process may still have to wait for agents to die and for the store. */
const STOP_MS_MAX = 20_000;

/** The processes that work on one journal: started, stopped, killed, paused and started again by the simulation. */
export class Fleet {
  readonly members: Member[] = [];
  readonly problems: string[] = [];
  trouble = true;
  private started = 0;
  private readonly world: World;
  readonly chance: Seeded;
  readonly journal: MemoryJournal;
  readonly room: AgentRoom;
  readonly witness: Witness;
  private readonly mutation: Mutation;

  constructor(
    world: World,
    chance: Seeded,
    journal: MemoryJournal,
    room: AgentRoom,
    witness: Witness,
    mutation: Mutation,
  ) {
    this.world = world;
    this.chance = chance;
    this.journal = journal;
    this.room = room;
    this.witness = witness;
    this.mutation = mutation;
  }

  start(claimsAny = true): Member {
    this.started += 1;
    const process = new SimProcess(this.world, `p${this.started}`);
    this.witness.processes.set(process.name, process);
    const ports = this.portsFor(process);
    const engine = new Engine(ports, this.machines(), {
      worker: process.name,
      host: 'simulated',
      claimsAny,
      ownedMax: 100,
      snapshotEvery: 5,
      laneLimit: () => this.room.laneLimit,
    });
    this.mutation.engine?.(engine);
    this.world.note(`${process.name} starts${claimsAny ? '' : ' to drive'}`);
    const started = engine.start();
    const member = { process, engine, ports, claimsAny, started, ready: false, stopping: false };
    this.members.push(member);
    started.then(
      () => {
        member.ready = true;
      },
      () => this.kill(member),
    );
    return member;
  }

  kill(member: Member): void {
    if (!member.process.dead) this.world.note(`${member.process.name} is killed`);
    member.process.kill();
    this.journal.workers.delete(member.process.name);
    const index = this.members.indexOf(member);
    if (index !== -1) this.members.splice(index, 1);
  }

  /** A process that was asked to stop leaves nothing under way and owns nothing. It may die of trouble instead. */
  async stop(member: Member, graceMs: number): Promise<void> {
    member.stopping = true;
    const { process, engine } = member;
    const askedMs = this.world.nowMs;
    this.world.note(`${process.name} is asked to stop`);
    const hadTrouble = this.trouble;
    let failure: unknown;
    await engine.stop(graceMs).catch((problem: unknown) => {
      failure = problem ?? 'for no reason';
    });
    if (process.dead) return;
    if (failure !== undefined) {
      if (!hadTrouble) this.problems.push(`${process.name} could not stop: ${failure}`);
      return this.kill(member);
    }
    const { name } = process;
    const left = this.room.workingFor(process);
    if (left.length > 0) this.problems.push(`${name} stopped and left ${left.join(', ')}`);
    const owned = [...this.journal.runs.values()].filter(({ owner }) => owner === name).map(({ run }) => run);
    // With a store that fails it may leave that to others, who take the runs of a discharged worker at once.
    if (!hadTrouble && owned.length > 0) this.problems.push(`${name} stopped and owns ${owned.join(', ')}`);
    const tookMs = this.world.nowMs - askedMs;
    if (!hadTrouble && tookMs > graceMs + STOP_MS_MAX) this.problems.push(`${name} took ${tookMs} ms to stop`);
    process.stopped = true;
    this.world.note(`${name} has stopped`);
    this.members.splice(this.members.indexOf(member), 1);
  }

  /** Some processes are of a newer release, whose snapshots look different. */
  private machines(): Machines {
    const errand = this.mutation.machine?.(errandDecider) ?? errandDecider;
    const job = this.mutation.job?.(jobDecider) ?? jobDecider;
    const system = this.mutation.system?.(systemDecider) ?? systemDecider;
    const session = this.mutation.session?.(sessionDecider) ?? sessionDecider;
    if (!this.chance.chance(0.3)) return new Machines().add(errand).add(job).add(session).add(system);
    const newer = new Machines().add(newerRelease(errand)).add(newerRelease(job)).add(newerRelease(session));
    return newer.add(system);
  }

  private portsFor(process: SimProcess): Ports {
    const memory = new MemoryStore(this.journal, process.clock, this.faultsOf(process));
    const store = this.mutation.store?.(memory, this.journal) ?? memory;
    const ports: Ports = {
      store: watchedStore(store, process, this),
      clock: process.clock,
      ids: { uuid: () => `id-${this.chance.next()}`, random: () => this.chance.next() },
      hasher: nodeHasher,
      agents: this.room.agentsFor(process),
      commands: this.room.commandsFor(process),
      deeds: deedsFor(process, this),
      composers: composersFor(this),
      readers: sessionReaders(this),
      notifier: {
        notify: async () => {
          if (this.trouble && this.chance.chance(0.1)) throw new Error('nobody can be told');
        },
      },
      scrub: createScrub([]),
      log: (level, message, fields) =>
        this.world.note(`${process.name} ${level}: ${message} ${JSON.stringify(fields)}`),
    };
    return this.mutation.ports?.(ports) ?? ports;
  }

  /** The moment after a commit and before its acknowledgement is the most dangerous one: processes die there often. */
  private faultsOf(process: SimProcess): Faults {
    return {
      delayMs: () => this.chance.below(5),
      isDead: () => process.dead,
      fate: (call) => {
        if (!this.trouble) return 'fine';
        if (this.chance.chance(0.005)) this.dieSoon(process);
        if (this.chance.chance(0.01)) return 'before';
        if (call !== 'append' && call !== 'release' && call !== 'claim') return 'fine';
        return this.chance.chance(0.01) ? 'after' : 'fine';
      },
    };
  }

  private dieSoon(process: SimProcess): void {
    const member = this.members.find((one) => one.process === process);
    if (member) this.kill(member);
  }
}

function newerRelease<Command, Event, State>(machine: Decider<Command, Event, State>): Decider<Command, Event, State> {
  return {
    ...machine,
    version: machine.version + 1,
    snapshot: {
      encode: (state) => ({ packed: machine.snapshot?.encode(state) ?? state }),
      decode: (json) => {
        const { packed } = json as { packed: State };
        return machine.snapshot?.decode(packed) ?? packed;
      },
    },
  };
}
