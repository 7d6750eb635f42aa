import type { SimProcess } from './sim-process.js';
import type { World } from './world.js';

/**
 * Remembers what each process was told about its ownership, and notices when it acts against it. W1 An epoch of a run
 * has one holder, ever, and nothing is taken from a process that is alive and well. W2 Who was fenced starts nothing for that run before it claims it again. W3 Who has stopped
 * writes nothing, asks nothing and takes nothing.
 */
export class Witness {
  readonly problems: string[] = [];
  readonly processes = new Map<string, SimProcess>();
  private readonly holders = new Map<string, string>();
  private readonly lastEpochs = new Map<string, number>();
  /** The epoch a process believes to hold, by process and run. */
  private readonly beliefs = new Map<string, number>();

  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  took({ name }: SimProcess, run: string, epoch: number, previousOwner: string | null = null): void {
    const robbed = this.processes.get(previousOwner ?? '');
    if (robbed && robbed.name !== name && robbed.isWell(this.world.nowMs)) {
      this.problems.push(`${run} is taken from ${robbed.name}, which is alive and well`);
    }
    const place = `${run} epoch ${epoch}`;
    this.world.note(`${name} owns ${place}`);
    const holder = this.holders.get(place);
    if (holder !== undefined) this.problems.push(`${place} is held by ${holder} and by ${name}`);
    this.holders.set(place, name);
    this.lastEpochs.set(run, epoch);
    this.beliefs.set(`${name} ${run}`, epoch);
  }

  /** W1 as the store must keep it: what was written as owner was written by the last owner there was. */
  wrote({ name }: SimProcess, run: string, epoch: number): void {
    const last = this.lastEpochs.get(run) ?? epoch;
    if (last > epoch)
      this.problems.push(`${run}: ${name} wrote with epoch ${epoch} after epoch ${last} was given away`);
  }

  wasFenced({ name }: SimProcess, run: string, epoch: number | undefined): void {
    this.world.note(`${name} is fenced off ${run} epoch ${epoch}`);
    if (this.beliefs.get(`${name} ${run}`) === epoch) this.beliefs.delete(`${name} ${run}`);
  }

  starts(process: SimProcess, run: string, key: string): void {
    const { name } = process;
    if (!this.beliefs.has(`${name} ${run}`))
      this.problems.push(`${run}: ${key} is started by ${name}, which was fenced`);
    this.acts(process, `starts ${key} of ${run}`);
  }

  acts({ name, stopped }: SimProcess, what: string): void {
    if (stopped) this.problems.push(`${name} has stopped and ${what}`);
  }
}
