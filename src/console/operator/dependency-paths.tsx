import { useMemo } from 'react';
import type { BoardTask } from './board-task.js';
import { edgesOf, type TaskBars } from './gantt-bars.js';
import { GANTT_ROW_PX } from './gantt-row.js';

type Props = {
  tasks: readonly BoardTask[];
  chosen: string | null;
  all: boolean;
  left: number;
  place(share: number): number;
  edges(task: BoardTask): TaskBars;
  /** Rows that are in sight: lines that touch none of them are not drawn. */
  rows: { first: number; last: number };
};

const BAR_HALF_PX = 6;

type Edge = { from: number; to: number };

/** From the end of what is needed to the beginning of who needs it: of the chosen task, or of all. */
export function DependencyPaths({ tasks, chosen, all, left, place, edges, rows }: Props) {
  const found = useMemo(() => edgesIn(tasks, all ? null : chosen), [tasks, all, chosen]);
  const inSight = found.filter(({ from, to }) => Math.max(from, to) >= rows.first && Math.min(from, to) < rows.last);
  const line = ({ from, to }: Edge): string | null => {
    const [begun, ended] = [edgesOf(edges(tasks[from] as BoardTask)), edgesOf(edges(tasks[to] as BoardTask))];
    if (!begun || !ended) return null;
    const [x1, x2] = [left + place(begun.to), left + place(ended.from)];
    const [y1, y2] = [middle(from), middle(to)];
    if (x2 - x1 > 16) return `M${x1} ${y1}H${x2 - 8}V${y2}H${x2}`;
    // Too near for a bend: down from the end of the one, into the beginning of the other or onto its bar.
    const down = Math.sign(y2 - y1) * (BAR_HALF_PX + 1);
    return x2 > x1 - 3 ? `M${x1 - 3} ${y1 + down}V${y2}H${x2}` : `M${x1 - 3} ${y1 + down}V${y2 - down}`;
  };
  if (!all && chosen === null) return null;
  return (
    <svg className="gantt-over lines" width="100%" height={tasks.length * GANTT_ROW_PX} aria-hidden="true">
      <marker id="needs" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5" orient="auto">
        <path d="M0 0 6 3 0 6z" fill="var(--text2)" />
      </marker>
      {inSight.map((edge) => {
        const path = line(edge);
        return path === null ? null : <path key={`${edge.from} ${edge.to}`} d={path} markerEnd="url(#needs)" />;
      })}
    </svg>
  );
}

function middle(row: number): number {
  return row * GANTT_ROW_PX + GANTT_ROW_PX / 2;
}

/** By their places among the tasks; without a task, all there are. */
function edgesIn(tasks: readonly BoardTask[], of: string | null): readonly Edge[] {
  const placeOf = new Map(tasks.map(({ task_id }, index) => [task_id, index]));
  return tasks.flatMap(({ task_id, dependencies }, to) =>
    dependencies.flatMap((needed) => {
      const from = placeOf.get(needed);
      return from !== undefined && (of === null || of === task_id || of === needed) ? [{ from, to }] : [];
    }),
  );
}
