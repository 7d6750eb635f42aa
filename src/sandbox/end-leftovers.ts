import type { ProcessRow } from '../engine/ports.js';
import { type Ended, endTree, GRACE_MS_DEFAULT } from './end-tree.js';
import type { Gate } from './process-rows.js';
import { type ProcessInfo, processSource } from './process-source.js';

export type Leftovers = Ended & {
  /** Rows of another machine, boot or pid namespace: their numbers mean nothing here, so they were left alone. */
  elsewhere: readonly ProcessRow[];
};

/**
 * For a new owner: ends every process that is recorded for the run (or one handoff of it) or carries its marker, and
 * forgets the rows of those that are surely gone.
 */
export async function endLeftovers(
  { table, scope, oneMachine }: Gate,
  run: string,
  handoff?: string,
  { graceMs = GRACE_MS_DEFAULT }: { graceMs?: number } = {},
): Promise<Leftovers> {
  const which = { run, ...(handoff !== undefined && { handoff }) };
  const rows = await table.list(which);
  const here = rows.filter(isHere);
  const roots = here.flatMap(runningProcess);
  const { ended, remaining } = await endTree({ scope, ...which }, { roots, graceMs });

  // A root may be gone while a descendant that cannot be ended is not: then somebody must look again.
  const over = remaining.length === 0 ? here : [];
  const dead = oneMachine ? rows.filter(({ started }) => !processSource.isThisBoot(started)) : [];
  const forgotten = new Set([...over, ...dead]);
  for (const row of forgotten) await table.remove(row);
  return { ended, remaining, elsewhere: rows.filter((row) => !isHere(row) && !forgotten.has(row)) };
}

function isHere({ started, pidNamespace }: ProcessRow): boolean {
  return processSource.isThisBoot(started) && pidNamespace === processSource.namespaceOf(process.pid);
}

function runningProcess({ pid, started }: ProcessRow): ProcessInfo[] {
  const now = processSource.find(pid);
  return now?.started === started ? [now] : [];
}
