import { encodeState, type FoldedRun, isSnapshotDue } from './folded-run.js';
import type { Ports } from './ports.js';

/** Of a run that is ours, once enough has happened since the last one. */
export async function saveSnapshot(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  folded: FoldedRun,
  epoch: number,
  every: number,
): Promise<void> {
  const { run, machine, version } = folded;
  if (!isSnapshotDue(folded, every)) return;
  folded.snapshotVersion = version;
  const snapshot = { run, version, machineVersion: machine.version, state: encodeState(folded) };
  // The events are durable, and the snapshot only saves time: the next one is tried again in its turn.
  await store.saveSnapshot(snapshot, epoch).catch((problem) => {
    log('warn', 'a snapshot was not saved', { run, version, problem: String(problem) });
  });
}
