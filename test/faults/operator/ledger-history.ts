import type { Plan } from '../../../src/contracts/generated/types/plan.js';
import type { LedgerEvent } from '../../../src/core/ledger/ledger-messages.js';

type PlanTask = Plan['tasks'][number];
export type HistoryFound = { twice: string[]; other: string[]; mostAtOnce: number; attempts: number };

/** What the journal says of who was at work when: every pair is looked at, with nothing of the program's own. */
export function readHistory(tasks: readonly PlanTask[], events: readonly LedgerEvent[]): HistoryFound {
  const specs = new Map(tasks.map((task) => [task.task_id, task]));
  const atWork = new Set<string>();
  const done = new Map<string, number>();
  const found: HistoryFound = { twice: [], other: [], mostAtOnce: 0, attempts: 0 };
  for (const event of events) {
    if (event.type === 'TaskAssigned') {
      const task = specs.get(event.task) as PlanTask;
      found.attempts += 1;
      found.other.push(...beginProblems(task, atWork, done, specs));
      atWork.add(event.task);
      found.mostAtOnce = Math.max(found.mostAtOnce, atWork.size);
    }
    if (event.type === 'TaskRequeued') atWork.delete(event.task);
    if (event.type !== 'TaskMoved') continue;
    atWork.delete(event.task);
    if (event.to === 'done') done.set(event.task, (done.get(event.task) ?? 0) + 1);
    else found.other.push(`${event.task} became ${event.to}: ${event.code} ${event.reason}`);
  }
  for (const [task, times] of done) if (times > 1) found.twice.push(`${task} was done ${times} times`);
  for (const { task_id } of tasks) if (!done.has(task_id)) found.other.push(`${task_id} was never done`);
  return found;
}

function beginProblems(
  { task_id, dependencies, lock_scope, type }: PlanTask,
  atWork: ReadonlySet<string>,
  done: ReadonlyMap<string, number>,
  specs: ReadonlyMap<string, PlanTask>,
): string[] {
  const problems = dependencies
    .filter((needed) => !done.has(needed))
    .map((needed) => `${task_id} began before ${needed} was done`);
  if (done.has(task_id)) problems.push(`${task_id} began after it was done`);
  for (const one of atWork) {
    const other = specs.get(one) as PlanTask;
    if (one === task_id) problems.push(`${task_id} began while it was at work`);
    else if (type === 'serial' || other.type === 'serial') problems.push(`${task_id} began beside ${one}, not alone`);
    else if (meet(lock_scope, other.lock_scope))
      problems.push(`${task_id} with ${lock_scope} began while ${one} had ${other.lock_scope}`);
  }
  return problems;
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  const folder = (path: string): string => `${path.toLowerCase().replace(/\/+$/, '')}/`;
  return some.some((one) =>
    others.some((other) => folder(one).startsWith(folder(other)) || folder(other).startsWith(folder(one))),
  );
}
