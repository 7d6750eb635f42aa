import { type FoldedRun, foldRows } from './folded-run.js';
import type { Machines } from './machines.js';
import type { EventStore, RunId } from './ports.js';
import { readRun } from './read-run.js';

const CATCH_UP_EVENTS_MAX = 1000;
const RETIRED_MAX = 1000;

/** Folded runs of this process. Folding a run again for every command would be quadratic. */
export class RunCache {
  private readonly runs = new Map<RunId, FoldedRun>();
  /** Up to which event a run was known that is no longer kept; the oldest are forgotten. */
  private readonly retired = new Map<RunId, number>();
  private readonly store: EventStore;
  private readonly machines: Machines;

  constructor(store: EventStore, machines: Machines) {
    this.store = store;
    this.machines = machines;
  }

  peek(run: RunId): FoldedRun | undefined {
    return this.runs.get(run);
  }

  /** Whether this event is folded already, or was before the run ended. */
  hasSeen(run: RunId, seq: number): boolean {
    return (this.runs.get(run)?.version ?? this.retired.get(run) ?? 0) >= seq;
  }

  /** Reads the run unless it is known; undefined when there is none. */
  async open(run: RunId): Promise<FoldedRun | undefined> {
    const known = this.runs.get(run);
    if (known) return known;
    const folded = await readRun(this.store, this.machines, run);
    if (folded) this.runs.set(run, folded);
    return folded;
  }

  /** A run that does not exist yet, to decide its first command on. */
  begin(run: RunId, kind: string): FoldedRun {
    const machine = this.machines.get(kind);
    return { run, machine, state: machine.initialState(), version: 0, head: '', epoch: 0, snapshotVersion: 0 };
  }

  keep(folded: FoldedRun): void {
    this.runs.set(folded.run, folded);
  }

  /** Folds what others have appended since. */
  async catchUp(run: RunId): Promise<FoldedRun | undefined> {
    const folded = this.runs.get(run);
    if (!folded) return undefined;
    for (;;) {
      const rows = await this.store.events(run, folded.version, CATCH_UP_EVENTS_MAX);
      if (this.runs.get(run) !== folded) return this.runs.get(run);
      foldRows(folded, rows);
      if (rows.length < CATCH_UP_EVENTS_MAX) return folded;
    }
  }

  /** It will hardly be needed again: only how far it was known is kept. */
  retire({ run, version }: FoldedRun): void {
    this.runs.delete(run);
    this.retired.set(run, version);
    if (this.retired.size <= RETIRED_MAX) return;
    for (const oldest of this.retired.keys()) return void this.retired.delete(oldest);
  }

  /** What is folded may be ahead of the store or behind it: read it again when it is needed. */
  forget(run: RunId): void {
    this.runs.delete(run);
  }
}
