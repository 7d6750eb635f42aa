import type { BoardTask } from './board-task.js';

export type Planned = { fromMs: number; toMs: number };

/**
 * When tasks that have not begun might be worked on: after all they wait for, each for as long as tasks took so far.
 * A guess for the eye: as if what is blocked began again now. What a failed task holds up is not guessed at.
 */
export function plannedTimes(tasks: readonly BoardTask[], nowMs: number): ReadonlyMap<string, Planned> {
  const usualMs = usualTime(tasks);
  if (usualMs === null) return new Map();
  const byId = new Map(tasks.map((task) => [task.task_id, task]));
  const ends = new Map<string, number | null>();
  const planned = new Map<string, Planned>();
  for (const first of tasks) {
    // A stack of its own: a ledger may be a chain of thousands.
    const open = [first];
    const isOpen = new Set([first.task_id]);
    for (let task = open.at(-1); task; task = open.at(-1)) {
      const missing = missingBefore(task, byId, ends);
      if (missing && !isOpen.has(missing.task_id)) {
        open.push(missing);
        isOpen.add(missing.task_id);
        continue;
      }
      open.pop();
      if (!ends.has(task.task_id)) ends.set(task.task_id, endOf(task, { usualMs, nowMs, ends, planned }));
    }
  }
  return planned;
}

function missingBefore(task: BoardTask, byId: ReadonlyMap<string, BoardTask>, ends: ReadonlyMap<string, unknown>) {
  if (task.status !== 'todo') return undefined;
  const waited = task.waits_for.find(({ task_id }) => byId.has(task_id) && !ends.has(task_id));
  return waited && byId.get(waited.task_id);
}

type Known = {
  usualMs: number;
  nowMs: number;
  ends: ReadonlyMap<string, number | null>;
  planned: Map<string, Planned>;
};

/** Null when nobody can say. */
function endOf(task: BoardTask, { usualMs, nowMs, ends, planned }: Known): number | null {
  if (task.status === 'in_progress') {
    return Math.max(nowMs, Date.parse(task.attempts.at(-1)?.from ?? '') + usualMs || nowMs);
  }
  if (task.status === 'blocked') return nowMs + usualMs;
  if (task.status !== 'todo') return task.status === 'done' ? nowMs : null;
  const before = task.waits_for.map(({ task_id }) => ends.get(task_id) ?? null);
  if (before.some((end) => end === null)) return null;
  const fromMs = Math.max(nowMs, ...before.map(Number));
  planned.set(task.task_id, { fromMs, toMs: fromMs + usualMs });
  return fromMs + usualMs;
}

function usualTime(tasks: readonly BoardTask[]): number | null {
  const spans = tasks.flatMap(({ status, attempts }) => {
    const last = attempts.at(-1);
    return status === 'done' && last?.to ? [Date.parse(last.to) - Date.parse(last.from)] : [];
  });
  return spans.length === 0 ? null : spans.reduce((sum, span) => sum + span, 0) / spans.length;
}
