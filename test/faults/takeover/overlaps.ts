import { isAlive, type Living } from '../stage/living-agents.js';

/**
 * Runs for which two handoffs are worked on at the same moment. A child that still waits at the gate has run nothing
 * and does not count.
 */
export function overlaps(living: readonly Living[]): string[] {
  const working = living.filter(({ handoff, command }) => handoff !== null && !command.includes('baton-gate'));
  const byRun = new Map<string, Map<string, Living>>();
  for (const one of working) {
    const handoff = one.handoff as string;
    const [run = ''] = handoff.split('/');
    byRun.set(run, (byRun.get(run) ?? new Map()).set(handoff, one));
  }
  // The list is not read in one moment: only who is still there after all of it was read was there together.
  return [...byRun.values()]
    .filter((handoffs) => handoffs.size > 1 && [...handoffs.values()].filter(isAlive).length > 1)
    .map((handoffs) => [...handoffs.keys()].join(' and '));
}
