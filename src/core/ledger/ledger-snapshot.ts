import { enqueue } from './ledger-evolve.js';
import { type Ledger, type LiveLedger, openLedger, type TaskRow, wantsOf } from './ledger-state.js';

/** What is kept to find things is made again from the rows, and not written. */
type Kept = Pick<
  LiveLedger,
  'plan' | 'order' | 'going' | 'halt' | 'version' | 'claims' | 'asked' | 'watch' | 'spent' | 'tally'
> & {
  rows: readonly TaskRow[];
  /** In the order in which they came. */
  active: readonly string[];
  merging: readonly string[];
  waiting: readonly string[];
  leaving: readonly (readonly [string, boolean])[];
  deltas: readonly unknown[];
  questions: readonly unknown[];
};

export function encodeLedger(ledger: Readonly<Ledger>): unknown {
  if (ledger.status === 'new') return null;
  const { order, going, halt, version, claims, asked, watch, spent, tally, plan } = ledger;
  const kept: Kept = {
    ...{ order, going, halt, version, claims, asked, watch, spent, tally, plan },
    rows: [...ledger.tasks.values()],
    active: [...ledger.active],
    merging: [...ledger.merging],
    waiting: ledger.queue.waiting(),
    leaving: [...ledger.leaving],
    deltas: [...ledger.deltas],
    questions: [...ledger.questions],
  };
  return kept;
}

export function decodeLedger(json: unknown): Ledger {
  if (json === null) return { status: 'new' };
  const { rows, active, merging, waiting, leaving, deltas, questions, ...plain } = json as Kept;
  const ledger: LiveLedger = { ...openLedger(plain.order), ...plain };
  for (const row of rows) {
    const { task_id, dependencies } = row.spec;
    ledger.tasks.set(task_id, row);
    ledger.counts[row.status] += 1;
    if (row.notBeforeMs !== null) ledger.delayed.add(task_id);
    for (const needed of dependencies) {
      const others = ledger.dependents.get(needed);
      if (others) others.push(task_id);
      else ledger.dependents.set(needed, [task_id]);
    }
  }
  for (const task of active) {
    const row = ledger.tasks.get(task) as TaskRow;
    ledger.active.add(task);
    ledger.locks.take(task, row.spec.lock_scope);
    ledger.queue.begun(wantsOf(row));
  }
  for (const task of waiting) enqueue(ledger, ledger.tasks.get(task) as TaskRow);
  for (const task of merging) ledger.merging.add(task);
  ledger.leaving = new Map(leaving);
  ledger.deltas = new Map(deltas as [string, never][]);
  ledger.questions = new Map(questions as [number, never][]);
  return ledger;
}
