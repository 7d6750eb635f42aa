import type { BoardRow, LedgerBoard, LedgerTask } from '../../contracts/api/ledger-shapes.js';
import { age } from '../age.js';
import { printable } from '../printable.js';

export type BoardTask = { task: LedgerTask; row: BoardRow };

/** Board and ledger go row by row. Of very many tasks the board tells only the first what they wait for; of the others it is what they depend on. */
export function tasksOf({ ledger, rows }: LedgerBoard): BoardTask[] {
  const found = new Map(rows.map((row) => [row.task_id, row]));
  const done = new Set(ledger.tasks.flatMap(({ task_id, status }) => (status === 'done' ? [task_id] : [])));
  return ledger.tasks.flatMap((task) => {
    const row = found.get(task.task_id);
    if (!row || task.status !== 'todo' || row.waits_for.length > 0) return row ? [{ task, row }] : [];
    const waits_for = task.dependencies.filter((needed) => !done.has(needed)).map((task_id) => ({ task_id }));
    return [{ task, row: { ...row, waits_for } }];
  });
}

/** What there is to say about a task in its state; the second form is for narrow terminals. */
export function taskNote({ task, row }: BoardTask, nowMs: number): { full: string; short: string } {
  const again = task.attempt > 1 ? `attempt ${task.attempt} · ` : '';
  switch (task.status) {
    case 'done': {
      const merged = row.commit === null ? '' : ' · merged';
      const proven = `${row.criteria.proven}/${row.criteria.of}`;
      return { full: `${again}${proven} criteria${merged}`, short: `${proven}${merged}` };
    }
    case 'in_progress': {
      const beat = row.heartbeat_at === null ? 'no heartbeat yet' : `heartbeat ${age(row.heartbeat_at, nowMs)} ago`;
      return { full: again + beat, short: beat.replace('heartbeat', 'beat') };
    }
    case 'todo':
      if (row.waits_for.length === 0) return once(readyWords(task));
      return { full: `waits for ${waitWords(row.waits_for)}`, short: `after ${waitWords(row.waits_for)}` };
    default:
      return once(failureWords(task));
  }
}

function once(text: string): { full: string; short: string } {
  return { full: text, short: text };
}

/** One name per task that is waited for, with the paths it has. */
function waitWords(waits: BoardRow['waits_for']): string {
  const paths = new Map<string, string[]>();
  for (const { task_id, resource } of waits) {
    const held = paths.get(task_id) ?? [];
    if (resource !== undefined) held.push(printable(resource));
    paths.set(task_id, held);
  }
  return [...paths].map(([task, held]) => (held.length === 0 ? task : `${task} (${held.join(', ')})`)).join(', ');
}

function readyWords(task: LedgerTask): string {
  return task.code === null ? 'can begin' : `tried again after ${failureWords(task)}`;
}

function failureWords({ code, reason }: LedgerTask): string {
  const why = reason === null ? '' : printable(reason);
  if (code === null) return why;
  return why === '' ? code : `${code}: ${why}`;
}
