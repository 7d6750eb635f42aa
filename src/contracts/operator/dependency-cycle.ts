type Row = { task_id: string; dependencies: readonly string[] };

/** One cycle as the list of its tasks, or undefined. Without recursion: a ledger may be a chain of thousands. */
export function findCycle(rows: readonly Row[]): string[] | undefined {
  const dependencies = new Map(rows.map((row) => [row.task_id, row.dependencies]));
  const finished = new Set<string>();
  for (const { task_id } of rows) {
    const cycle = walk(task_id, dependencies, finished);
    if (cycle) return cycle;
  }
  return undefined;
}

function walk(
  start: string,
  dependencies: ReadonlyMap<string, readonly string[]>,
  finished: Set<string>,
): string[] | undefined {
  const open: { task: string; next: number }[] = [{ task: start, next: 0 }];
  const onPath = new Set([start]);
  for (let step = open.at(-1); step; step = open.at(-1)) {
    const needed = finished.has(step.task) ? undefined : dependencies.get(step.task)?.[step.next];
    step.next += 1;
    if (needed === undefined) {
      finished.add(step.task);
      onPath.delete(step.task);
      open.pop();
    } else if (onPath.has(needed)) {
      const path = open.map(({ task }) => task);
      return path.slice(path.indexOf(needed));
    } else if (!finished.has(needed)) {
      open.push({ task: needed, next: 0 });
      onPath.add(needed);
    }
  }
  return undefined;
}
