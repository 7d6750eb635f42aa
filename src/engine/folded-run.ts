import type { AnyEvent, Machine } from './machines.js';
import type { EventRow, Hash, Loaded, RunId } from './ports.js';

/**
 * A run as this process knows it: its state folded up to `version`. The fold owns the state; whoever decides on it
 * does so inside the run's mailbox.
 */
export type FoldedRun = {
  readonly run: RunId;
  readonly machine: Machine;
  state: object;
  version: number;
  head: Hash;
  epoch: number;
  /** The version the last snapshot was saved at. */
  snapshotVersion: number;
};

/** Whatever snapshot comes with it must be of this machine's version. */
export function foldLoaded(run: RunId, machine: Machine, loaded: Loaded): FoldedRun {
  const { snapshot: usable } = loaded;
  const folded: FoldedRun = {
    run,
    machine,
    state: usable ? decodeState(machine, usable.state) : machine.initialState(),
    version: usable?.version ?? 0,
    head: '',
    epoch: loaded.epoch,
    snapshotVersion: usable?.version ?? 0,
  };
  foldRows(
    folded,
    loaded.tail.filter(({ seq }) => seq > folded.version),
  );
  folded.head = loaded.head;
  return folded;
}

export function foldRows(folded: FoldedRun, rows: readonly EventRow[]): void {
  for (const row of rows) {
    if (row.seq !== folded.version + 1) throw new Error(`${folded.run}: event ${row.seq} follows ${folded.version}`);
    folded.state = folded.machine.evolve(folded.state, readEvent(row));
    folded.version = row.seq;
    folded.head = row.hash;
    folded.epoch = Math.max(folded.epoch, row.epoch ?? 0);
  }
}

function readEvent({ type, data }: EventRow): AnyEvent {
  return { ...JSON.parse(data), type };
}

/** A snapshot is worth its bytes after so many events, or after more where the state is large. */
export function isSnapshotDue({ machine, state, version, snapshotVersion }: FoldedRun, every: number): boolean {
  return version >= snapshotVersion + Math.max(every, machine.snapshot?.every?.(state) ?? 0);
}

export function encodeState({ machine, state }: FoldedRun): string {
  return JSON.stringify(machine.snapshot ? machine.snapshot.encode(state) : state);
}

function decodeState(machine: Machine, text: string): object {
  const json = JSON.parse(text) as object;
  return machine.snapshot ? machine.snapshot.decode(json) : json;
}
