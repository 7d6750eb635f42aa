import type { BoardRow, LedgerBoard, LedgerTask, TaskStatus } from '../../client/index.js';

/** What the ledger and its board say about one task. */
export type BoardTask = LedgerTask & BoardRow;

/** Of very many tasks the board tells only the first what they wait for; of the others it is what they depend on. */
export function tasksOf({ ledger, rows }: LedgerBoard): readonly BoardTask[] {
  const found = new Map(rows.map((row) => [row.task_id, row]));
  const done = new Set(ledger.tasks.flatMap(({ task_id, status }) => (status === 'done' ? [task_id] : [])));
  return ledger.tasks.flatMap((task) => {
    const row = found.get(task.task_id);
    if (!row || task.status !== 'todo' || row.waits_for.length > 0) return row ? [{ ...task, ...row }] : [];
    const waits_for = task.dependencies.filter((needed) => !done.has(needed)).map((task_id) => ({ task_id }));
    return [{ ...task, ...row, waits_for }];
  });
}

/** Who needs somebody first, who is over last. */
export const STATE_ORDER: readonly TaskStatus[] = ['blocked', 'failed', 'in_progress', 'todo', 'done', 'canceled'];

export function inStateOrder(tasks: readonly BoardTask[]): readonly string[] {
  const groups = new Map<TaskStatus, string[]>(STATE_ORDER.map((status) => [status, []]));
  for (const { status, task_id } of tasks) groups.get(status)?.push(task_id);
  return [...groups.values()].flat();
}

export function countOf(tasks: readonly { status: TaskStatus }[], status: TaskStatus): number {
  return tasks.filter((task) => task.status === status).length;
}

/** Everything that cannot begin before the task is done, directly or through others. */
export function heldUpBy(tasks: readonly BoardTask[], task: string): readonly string[] {
  const dependents = new Map<string, string[]>();
  for (const { task_id, status, dependencies } of tasks) {
    if (status === 'done' || status === 'canceled') continue;
    for (const needed of dependencies) {
      const known = dependents.get(needed);
      if (known) known.push(task_id);
      else dependents.set(needed, [task_id]);
    }
  }
  const held = new Set<string>();
  const next = [...(dependents.get(task) ?? [])];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (held.has(one)) continue;
    held.add(one);
    next.push(...(dependents.get(one) ?? []));
  }
  return [...held];
}
