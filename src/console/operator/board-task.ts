import type { BoardRow, LedgerBoard, LedgerTask, TaskStatus } from '../../client/index.js';

/** What the ledger and its board say about one task. */
export type BoardTask = LedgerTask & BoardRow;

export function tasksOf({ ledger, rows }: LedgerBoard): readonly BoardTask[] {
  const found = new Map(rows.map((row) => [row.task_id, row]));
  return ledger.tasks.flatMap((task) => {
    const row = found.get(task.task_id);
    return row ? [{ ...task, ...row }] : [];
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
