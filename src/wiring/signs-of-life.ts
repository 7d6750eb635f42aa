import { statSync } from 'node:fs';
import type { Clock } from '../engine/ports.js';

/** When the agents of runs were last seen to do something: print, ask their model, append to their worklog. */
export class SignsOfLife {
  private readonly clock: Clock;
  private readonly worklogOf: (run: string) => string | undefined;
  private readonly last = new Map<string, number>();
  private readonly sizes = new Map<string, number>();

  constructor(clock: Clock, worklogOf: (run: string) => string | undefined) {
    this.clock = clock;
    this.worklogOf = worklogOf;
  }

  seen(run: string): void {
    this.last.set(run, this.clock.monotonicMs());
  }

  lastMs(run: string): number | undefined {
    const file = this.worklogOf(run);
    const size = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const before = this.sizes.get(run);
    this.sizes.set(run, size);
    if (before !== undefined && size > before) this.seen(run);
    return this.last.get(run);
  }

  forget(run: string): void {
    this.last.delete(run);
    this.sizes.delete(run);
  }
}
