import { errandDecider } from '../../src/core/errand/errand-decider.js';
import { Engine } from '../../src/engine/engine.js';
import { Machines } from '../../src/engine/machines.js';
import type { EventStore, Ports } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { type Faults, MemoryStore } from '../../src/store/memory/memory-store.js';
import { nodeHasher } from './node-hasher.js';
import type { Seeded } from './seeded.js';
import type { AgentRoom } from './sim-agents.js';
import { SimProcess } from './sim-process.js';
import type { World } from './world.js';

export type Member = { process: SimProcess; engine: Engine; ports: Ports };

/** What a planted bug may replace. */
export type Mutation = {
  store?: (store: EventStore) => EventStore;
  ports?: (ports: Ports) => Ports;
  machine?: (machine: typeof errandDecider) => typeof errandDecider;
};

/** The processes that work on one journal: started, killed, paused and started again by the simulation. */
export class Fleet {
  readonly members: Member[] = [];
  trouble = true;
  private started = 0;
  private readonly world: World;
  private readonly chance: Seeded;
  private readonly journal: MemoryJournal;
  private readonly room: AgentRoom;
  private readonly mutation: Mutation;

  constructor(world: World, chance: Seeded, journal: MemoryJournal, room: AgentRoom, mutation: Mutation) {
    this.world = world;
    this.chance = chance;
    this.journal = journal;
    this.room = room;
    this.mutation = mutation;
  }

  start(claimsAny = true): Member {
    this.started += 1;
    const process = new SimProcess(this.world, `p${this.started}`);
    const ports = this.portsFor(process);
    const machine = this.mutation.machine?.(errandDecider) ?? errandDecider;
    const engine = new Engine(ports, new Machines().add(machine), {
      worker: process.name,
      host: 'simulated',
      claimsAny,
      ownedMax: 100,
      snapshotEvery: 5,
      laneLimit: () => 2,
    });
    const member = { process, engine, ports };
    this.members.push(member);
    void engine.start().catch(() => this.kill(member));
    return member;
  }

  kill(member: Member): void {
    member.process.kill();
    this.journal.workers.delete(member.process.name);
    const index = this.members.indexOf(member);
    if (index !== -1) this.members.splice(index, 1);
  }

  private portsFor(process: SimProcess): Ports {
    const store = new MemoryStore(this.journal, process.clock, this.faultsOf(process));
    const ports: Ports = {
      store: this.mutation.store?.(store) ?? store,
      clock: process.clock,
      ids: { uuid: () => `id-${this.chance.next()}`, random: () => this.chance.next() },
      hasher: nodeHasher,
      agents: this.room.portFor(process),
      commands: { execute: async () => ({ exitCode: this.chance.chance(0.8) ? 0 : 1, output: 'checked' }) },
      notifier: { notify: async () => undefined },
      scrub: createScrub([]),
      log: () => {},
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
        if (call !== 'append' && call !== 'release' && call !== 'claim') return 'fine';
        if (this.chance.chance(0.01)) return 'before';
        return this.chance.chance(0.01) ? 'after' : 'fine';
      },
    };
  }

  private dieSoon(process: SimProcess): void {
    const member = this.members.find((one) => one.process === process);
    if (member) this.kill(member);
  }
}
