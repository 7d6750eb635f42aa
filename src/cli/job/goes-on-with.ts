import type { Desk } from '../../engine/desk.js';
import { pause } from '../../engine/pause.js';
import type { RunId, RunRow } from '../../engine/ports.js';
import { shortRun } from '../operator/short-run.js';

/** Of the others, an orchestrator is run again by whoever ran it. */
const COMMANDS: Readonly<Record<string, (run: RunId) => string>> = {
  job: (run) => `baton job run ${run}`,
  ledger: (run) => `baton operator run ${shortRun(run)}`,
  envelope: () => 'baton serve',
  session: (run) => `baton exec --resume ${run}`,
};
const LOOKS = 10;
const LOOK_AGAIN_MS = 50;

/** The command that moves a run on which nobody drives; undefined where there is none. */
export function goesOnWith({ run, kind }: Pick<RunRow, 'run' | 'kind'>): string | undefined {
  return COMMANDS[kind]?.(run);
}

/** Whoever has it may have been killed. */
export async function isDriven(store: Desk['store'], { owner }: Pick<RunRow, 'owner'>): Promise<boolean> {
  return owner !== null && !(await store.isGone(owner));
}

/** That somebody takes a run up was waited for a moment in vain: the command that does it. */
export async function leftLying({ store, clock, served }: Desk, run: RunId): Promise<string | undefined> {
  // A server takes whatever is due.
  if (served !== null) return undefined;
  for (let looks = 1; ; looks += 1) {
    const row = await store.run(run);
    if (!row?.owes || (await isDriven(store, row))) return undefined;
    if (looks === LOOKS) return goesOnWith(row);
    await pause(clock, LOOK_AGAIN_MS);
  }
}
