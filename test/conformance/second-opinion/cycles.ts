type Row = { task_id: string; dependencies: readonly string[] };

/** Does some task wait for itself, directly or through others? Asked of each task by following its dependencies. */
export function hasCycle(rows: readonly Row[]): boolean {
  const harmless = new Set<string>();
  const leadsBack = (task: string, trail: readonly string[]): boolean => {
    if (trail.includes(task)) return true;
    if (harmless.has(task)) return false;
    const needed = rows.filter((row) => row.task_id === task).flatMap((row) => row.dependencies);
    const found = needed.some((next) => leadsBack(next, [...trail, task]));
    if (!found) harmless.add(task);
    return found;
  };
  return rows.some((row) => leadsBack(row.task_id, []));
}
