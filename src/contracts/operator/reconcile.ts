import type { ReconcileInput } from '../generated/types/reconcile.js';
import { validate, validateStrict } from '../generated/validators/reconcile.js';
import type { Contract } from '../shared/contract.js';
import { findOverlap } from '../shared/lock-overlap.js';
import { deny } from '../shared/verdict.js';
import { findCycle } from './dependency-cycle.js';
import { resourcesNormalise } from './scope-rules.js';

export type LedgerIssue = { kind: string; task_id: string; reason: string };

/** Contract 003, "Reconciliation requirement": all contradictions at once, not only the first. */
export const reconcile: Contract<ReconcileInput> = {
  name: 'reconcile',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [
    ({ active_locks }) => resourcesNormalise(active_locks, '/active_locks'),
    (input) => {
      const issues = [...ledgerIssues(input)];
      return issues.length === 0 || deny('LEDGER_INCONSISTENT', summary(issues), { issues });
    },
  ],
};

function summary(issues: readonly LedgerIssue[]): string {
  const [first] = issues;
  return `${issues.length} contradiction${issues.length === 1 ? '' : 's'} in the ledger; the first: ${first?.reason}`;
}

function* ledgerIssues(input: ReconcileInput): Iterable<LedgerIssue> {
  const { ledger } = input;
  const rows = new Map(ledger.map((row) => [row.task_id, row]));
  yield* rowIssues(ledger, rows);
  const cycle = findCycle(ledger);
  if (cycle) {
    const [first = ''] = cycle;
    yield { kind: 'cycle', task_id: first, reason: `dependencies form a cycle: ${[...cycle, first].join(' → ')}` };
  }
  yield* lockIssues(input, rows);
  yield* eventIssues(input, rows);
}

type Row = ReconcileInput['ledger'][number];

function* rowIssues(ledger: readonly Row[], rows: ReadonlyMap<string, Row>): Iterable<LedgerIssue> {
  const seen = new Set<string>();
  for (const { task_id, status, owner, dependencies } of ledger) {
    if (seen.has(task_id)) yield { kind: 'duplicate_task', task_id, reason: `${task_id} stands twice in the ledger` };
    seen.add(task_id);
    if (status === 'in_progress' && owner.trim() === '') {
      yield { kind: 'no_owner', task_id, reason: `${task_id} is in progress without an owner` };
    }
    for (const needed of dependencies) {
      const row = rows.get(needed);
      if (needed === task_id) yield { kind: 'self_dependency', task_id, reason: `${task_id} depends on itself` };
      else if (!row) yield { kind: 'missing_dependency', task_id, reason: `${task_id} depends on unknown ${needed}` };
      else if ((status === 'in_progress' || status === 'done') && row.status !== 'done') {
        yield { kind: 'dependency_open', task_id, reason: `${task_id} is ${status}, but ${needed} is ${row.status}` };
      }
    }
  }
}

function* lockIssues({ active_locks }: ReconcileInput, rows: ReadonlyMap<string, Row>): Iterable<LedgerIssue> {
  const held = active_locks.filter(({ active }) => active);
  for (const { task_id, resource } of held) {
    const row = rows.get(task_id);
    if (!row) yield { kind: 'lock_of_unknown', task_id, reason: `${resource} is locked by unknown ${task_id}` };
    else if (row.status !== 'in_progress') {
      yield { kind: 'lock_not_released', task_id, reason: `${task_id} is ${row.status} but still locks ${resource}` };
    }
  }
  const overlap = findOverlap(held);
  if (overlap) {
    const { one, other } = overlap;
    yield {
      kind: 'lock_conflict',
      task_id: other.task_id,
      reason: `${other.resource} of ${other.task_id} overlaps ${one.resource} of ${one.task_id}`,
    };
  }
}

/** Events are the deltas that led here: the last status each names must be the ledger's. */
function* eventIssues({ events }: ReconcileInput, rows: ReadonlyMap<string, Row>): Iterable<LedgerIssue> {
  const last = new Map<string, string>();
  for (const { task_id, status } of events) {
    if (task_id === undefined) continue;
    if (!rows.has(task_id)) {
      yield { kind: 'event_of_unknown', task_id, reason: `an event names unknown ${task_id}` };
    } else if (status !== undefined) last.set(task_id, status);
  }
  for (const [task_id, status] of last) {
    const row = rows.get(task_id) as Row;
    if (row.status !== status) {
      yield {
        kind: 'status_differs',
        task_id,
        reason: `${task_id} is ${row.status}, but its last event says ${status}`,
      };
    }
  }
}
