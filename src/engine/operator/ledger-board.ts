import type { BoardRow, LedgerBoard, LedgerMetrics } from '../../contracts/api/ledger-shapes.js';
import { reconcile } from '../../contracts/operator/reconcile.js';
import { check } from '../../contracts/shared/contract.js';
import { beginProblem } from '../../core/ledger/begin-problem.js';
import { questionKey } from '../../core/ledger/ledger-decider.js';
import { agentOf, type LiveLedger, type TaskRow } from '../../core/ledger/ledger-state.js';
import { ratio } from '../../core/ledger/ledger-tally.js';
import { taskRun } from '../../core/task/task-order.js';
import type { InboxRow, RunRow } from '../ports.js';
import { ledgerObject } from './ledger-object.js';

export type BoardSources = {
  row: RunRow;
  atMs: number;
  heard: ReadonlyMap<string, number>;
  /** Open items of the run. */
  items: readonly InboxRow[];
};

const MICRO_USD = 1_000_000;
/** Of very many, only those that are next are told why they wait. */
const WAITS_TOLD_MAX = 500;

export function ledgerBoard(ledger: LiveLedger, { row, atMs, heard, items }: BoardSources): LedgerBoard {
  const { order, spent, tasks, active } = ledger;
  const numbers = new Map(items.map(({ key, item }) => [key, item]));
  let told = 0;
  const rows = [...tasks.values()].map((task): BoardRow => {
    const waits = task.status === 'todo' && told < WAITS_TOLD_MAX ? waitsFor(ledger, task) : [];
    if (waits.length > 0) told += 1;
    return boardRow(ledger, task, { waits, heard, numbers });
  });
  const isStill = active.size === 0 && !row.owes;
  return {
    ledger: ledgerObject(ledger),
    objective: order.objective,
    repository: order.repository,
    branch: rows.some(({ commit }) => commit !== null) ? `baton/${order.run}` : null,
    opened_at: row.createdAt,
    at: iso(atMs),
    rested_at: isStill ? row.updatedAt : null,
    cost_usd: spent.costMicroUsd / MICRO_USD,
    tokens: spent.tokens,
    rows,
    metrics: metricsOf(ledger),
    issues: ledgerIssues(ledger),
  };
}

function boardRow(
  ledger: LiveLedger,
  row: TaskRow,
  {
    waits,
    heard,
    numbers,
  }: { waits: BoardRow['waits_for'] } & Pick<BoardSources, 'heard'> & {
      numbers: ReadonlyMap<string, number>;
    },
): BoardRow {
  const { spec, status, attempts, question, proven, commit, givenMs } = row;
  const { task_id, priority = 'normal', type, forbidden_scope, timeout_seconds, acceptance_criteria } = spec;
  const beatMs = status === 'in_progress' ? Math.max(givenMs, heard.get(task_id) ?? 0) : null;
  return {
    ...{ task_id, priority, type, agent: agentOf(ledger, row), forbidden_scope, timeout_seconds },
    heartbeat_at: beatMs === null ? null : iso(beatMs),
    waits_for: waits,
    criteria: { proven: status === 'done' ? acceptance_criteria.length : proven, of: acceptance_criteria.length },
    commit,
    attempts: attempts.map(({ owner, own, fromMs, toMs, end, code }, index) => ({
      ...{ attempt: row.attempt - attempts.length + index + 1, owner },
      run_id: own ? taskRun(ledger.order.run, task_id, row.attempt - attempts.length + index + 1) : null,
      ...{ from: iso(fromMs), to: toMs === null ? null : iso(toMs), end, code },
    })),
    item: question === null ? null : (numbers.get(questionKey(question)) ?? null),
  };
}

function waitsFor(ledger: LiveLedger, row: TaskRow): BoardRow['waits_for'] {
  const open = row.spec.dependencies.filter((needed) => ledger.tasks.get(needed)?.status !== 'done');
  if (open.length > 0) return open.map((task_id) => ({ task_id }));
  const problem = beginProblem(ledger, row);
  const task = problem?.details?.task_id;
  if (typeof task !== 'string') return [];
  const resource = problem?.details?.resource;
  return [{ task_id: task, ...(typeof resource === 'string' && { resource }) }];
}

function metricsOf({ tally }: LiveLedger): LedgerMetrics {
  return {
    packets_valid: ratio(tally.valid, tally.packets),
    lock_conflicts: ratio(tally.conflicts, tally.begun),
    first_pass: ratio(tally.firstPassed, tally.firstTries),
    retry_success: ratio(tally.retriesPassed, tally.retried),
  };
}

/** Every contradiction, by the rules that hold for ledgers of others too. */
export function ledgerIssues(ledger: LiveLedger): readonly { task_id: string; reason: string }[] {
  const { tasks, active_locks } = ledgerObject(ledger);
  const rows = tasks.map(({ task_id, status, owner, dependencies }) => ({ task_id, status, owner, dependencies }));
  const verdict = check(reconcile, { ledger: rows, active_locks, events: [] });
  if (verdict.allow) return [];
  const issues = verdict.details?.issues;
  return Array.isArray(issues) ? issues : [{ task_id: '', reason: verdict.reason }];
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
