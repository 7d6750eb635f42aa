import type { BoardTask } from './board-task.js';
import type { Planned } from './planned-times.js';
import { deadlineMs, placeOf, type TimeScale } from './time-scale.js';

/** What is drawn in the row of a task, from left to right; places are shares of the width. */
export type Bar = { kind: 'done' | 'run' | 'bad' | 'held' | 'left' | 'planned'; from: number; to: number };
export type TaskBars = {
  bars: readonly Bar[];
  /** Where it counts as silent; null where that is not in sight. */
  deadline: number | null;
};

export function barsOf(task: BoardTask, scale: TimeScale, planned: Planned | undefined): TaskBars {
  const place = (ms: number): number => placeOf(scale, ms);
  const bars: Bar[] = task.attempts.map(({ from, to, end }) => ({
    kind: to === null ? 'run' : end === 'done' ? 'done' : 'bad',
    ...{ from: place(Date.parse(from)), to: place(to === null ? scale.nowMs : Date.parse(to)) },
  }));
  const ended = task.attempts.at(-1)?.to;
  if (task.status === 'blocked' && ended && !scale.over) {
    bars.push({ kind: 'held', from: place(Date.parse(ended)), to: place(scale.nowMs) });
  }
  if (task.status === 'todo' && planned && planned.fromMs < scale.toMs) {
    bars.push({ kind: 'planned', from: place(planned.fromMs), to: place(planned.toMs) });
  }
  if (task.status !== 'in_progress' || scale.over) return { bars, deadline: null };
  const untilMs = deadlineMs(task);
  bars.push({ kind: 'left', from: place(scale.nowMs), to: place(untilMs) });
  return { bars, deadline: untilMs > scale.toMs ? null : place(untilMs) };
}

/** Where a line from a task begins, and where one to it ends. */
export function edgesOf({ bars }: TaskBars): { from: number; to: number } | null {
  const [first] = bars;
  const last = bars.findLast(({ kind }) => kind !== 'left');
  return first && last ? { from: first.from, to: last.to } : null;
}
