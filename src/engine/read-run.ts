import { BatonError } from '../contracts/shared/errors.js';
import { type FoldedRun, foldLoaded } from './folded-run.js';
import type { Machines } from './machines.js';
import type { EventStore, RunId } from './ports.js';

/** A run as its snapshot and what came after tell it. A snapshot of another release's machine cannot be read. */
export async function readRun(
  store: Pick<EventStore, 'load'>,
  machines: Machines,
  run: RunId,
): Promise<FoldedRun | undefined> {
  const loaded = await store.load(run);
  if (!loaded) return undefined;
  const machine = machines.get(loaded.kind);
  const usable = !loaded.snapshot || loaded.snapshot.machineVersion === machine.version;
  const whole = usable ? loaded : await store.load(run, 0);
  return whole && foldLoaded(run, machine, whole);
}

export async function readRunOf(
  store: Pick<EventStore, 'load'>,
  machines: Machines,
  kind: string,
  run: RunId,
): Promise<FoldedRun> {
  const folded = await readRun(store, machines, run);
  if (folded?.machine.kind === kind) return folded;
  const reason = folded ? `${run} is not a ${kind} but a ${folded.machine.kind}` : `there is no ${kind} ${run}`;
  throw new BatonError('RUN_NOT_FOUND', reason, { run_id: run });
}
