import type { ProcessRow } from '../engine/ports.js';
import type { Gate } from './process-rows.js';
import { processSource } from './process-source.js';

/**
 * For a worker that starts: forgets the rows of processes that are surely gone and whose own removal was not written,
 * because the disk was full or the process was killed just then. Whoever still runs is left to the run's owner.
 */
export async function forgetDeadRows({ table, oneMachine }: Gate): Promise<number> {
  const dead = (await table.list({})).filter((row) => isGone(row, oneMachine));
  for (const row of dead) await table.remove(row);
  return dead.length;
}

function isGone({ pid, started, pidNamespace }: ProcessRow, oneMachine: boolean): boolean {
  if (!processSource.isThisBoot(started)) return oneMachine;
  if (pidNamespace !== processSource.namespaceOf(process.pid)) return false;
  return processSource.find(pid)?.started !== started;
}
