import type { StopSignal } from './stop-signal.js';

/**
 * Admission: how many runs may use an agent at once in this process, and who is next. A place is held by a run from
 * its admission until it no longer owes an ask in that lane.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly limitOf: (lane: string) => number;

  constructor(limitOf: (lane: string) => number) {
    this.limitOf = limitOf;
  }

  /**
   * Resolves when there is a place; lower ranks first, then first come. False when the signal said stop before. `room`
   * is how many there may be at least, for whoever has said so of its own runs.
   */
  admit(lane: string, run: string, rank: number, signal: StopSignal, room = 0): Promise<boolean> {
    const { holders, queue } = this.lane(lane);
    if (signal.aborted) return Promise.resolve(false);
    if (holders.has(run)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const ticket = { run, rank, room, admit: () => resolve(true) };
      queue.push(ticket);
      signal.addEventListener('abort', () => {
        const index = queue.indexOf(ticket);
        if (index !== -1) queue.splice(index, 1);
        resolve(false);
      });
      if (holders.size < Math.max(room, this.limitOf(lane))) this.advance(lane);
    });
  }

  /** An ask that is under way after a restart holds its place, even above the limit. */
  hold(lane: string, run: string): void {
    this.lane(lane).holders.add(run);
  }

  releaseOthers(run: string, stillHeld: ReadonlySet<string>): void {
    for (const [name, { holders }] of this.lanes) {
      if (!stillHeld.has(name) && holders.delete(run)) this.advance(name);
    }
  }

  private advance(name: string): void {
    const { holders, queue } = this.lane(name);
    while (queue.length > 0) {
      const next = queue.reduce((best, ticket) => (ticket.rank < best.rank ? ticket : best));
      if (holders.size >= Math.max(next.room, this.limitOf(name))) return;
      queue.splice(queue.indexOf(next), 1);
      holders.add(next.run);
      next.admit();
    }
  }

  private lane(name: string): Lane {
    let lane = this.lanes.get(name);
    if (!lane) {
      lane = { holders: new Set(), queue: [] };
      this.lanes.set(name, lane);
    }
    return lane;
  }
}

type Lane = { holders: Set<string>; queue: { run: string; rank: number; room: number; admit: () => void }[] };
