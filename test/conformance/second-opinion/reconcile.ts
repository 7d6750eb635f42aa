/** Contract 003, "Reconciliation requirement": any contradiction makes the ledger inconsistent. */

import { generated, known, status, taskId } from './common-shapes.js';
import { hasCycle } from './cycles.js';
import { type Lock, lock, locksApart, locksNormal } from './locks.js';
import { anyText, type Finding, first, listOf, openRecord, optional, record, unless } from './shapes.js';

type Row = { task_id: string; status: string; owner: string; dependencies: string[] };
type Ledger = { ledger: Row[]; active_locks: Lock[]; events: { task_id?: string; status?: string }[] };

export const reconcileShape = record({
  ...known,
  ledger: listOf(record({ task_id: taskId, status, owner: anyText, dependencies: listOf(taskId) })),
  active_locks: listOf(lock),
  events: listOf(openRecord({ task_id: optional(taskId), status: optional(status) })),
  ...generated,
});

export function reconcileOpinion(value: unknown): Finding {
  const input = value as Ledger;
  return first(
    () => locksNormal(input.active_locks),
    () => unless(!contradicts(input), 'LEDGER_INCONSISTENT'),
  );
}

function contradicts({ ledger, active_locks, events }: Ledger): boolean {
  const rowOf = (task: string): Row | undefined => ledger.find((row) => row.task_id === task);
  const statusOf = (task: string): string | undefined => rowOf(task)?.status;
  const lastEventOf = (task: string): string | undefined =>
    events.filter((event) => event.task_id === task && event.status !== undefined).at(-1)?.status;
  return (
    ledger.some((row) => ledger.filter((other) => other.task_id === row.task_id).length > 1) ||
    ledger.some((row) => row.status === 'in_progress' && row.owner.trim() === '') ||
    ledger.some((row) => row.dependencies.some((needed) => statusOf(needed) === undefined)) ||
    ledger.some((row) => startedTooEarly(row, statusOf)) ||
    hasCycle(ledger) ||
    active_locks.some((held) => held.active && statusOf(held.task_id) !== 'in_progress') ||
    locksApart(active_locks) !== undefined ||
    events.some((event) => event.task_id !== undefined && !rowOf(event.task_id)) ||
    ledger.some((row) => (lastEventOf(row.task_id) ?? row.status) !== row.status)
  );
}

function startedTooEarly(row: Row, statusOf: (task: string) => string | undefined): boolean {
  const started = row.status === 'in_progress' || row.status === 'done';
  return started && row.dependencies.some((needed) => statusOf(needed) !== 'done');
}
