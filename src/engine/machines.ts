import type { Decider } from '../core/kernel/decider.js';

export type AnyCommand = { type: string };
export type AnyEvent = { type: string };

/** A machine whose messages are not known here: the engine carries them, it does not read them. */
export type Machine = Decider<AnyCommand, AnyEvent, object>;

export class Machines {
  private readonly byKind = new Map<string, Machine>();

  /** Each machine's own types are safe inside it; what is stored under its kind was written by it. */
  add<Command extends AnyCommand, Event extends AnyEvent, State>(machine: Decider<Command, Event, State>): this {
    this.byKind.set(machine.kind, machine as unknown as Machine);
    return this;
  }

  get(kind: string): Machine {
    const machine = this.byKind.get(kind);
    if (!machine) throw new Error(`no machine runs the kind ${kind}`);
    return machine;
  }
}
