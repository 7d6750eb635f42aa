import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { sameKeySameContent } from '../../contracts/operator/delta-rules.js';
import { type ErrorCode, isErrorCode } from '../../contracts/shared/errors.js';
import { controlFieldIn } from '../../contracts/shared/untrusted-text.js';
import { type Decision, refuse } from '../kernel/decider.js';
import { beginProblem, begun } from './begin-problem.js';
import { withdrawn } from './decide-trouble.js';
import { bytesOf, TASK_BYTES_MAX, tooLarge } from './event-sizes.js';
import type { LedgerCommand, LedgerEvent } from './ledger-messages.js';
import type { LiveLedger, TaskRow } from './ledger-state.js';
import { MOVES } from './task-status.js';

type Outcome = Decision<LedgerEvent>;
const TIMEOUT_S_DEFAULT = 1_800;
const BEAT_S_DEFAULT = 60;
const TITLE_LENGTH_MAX = 500;

/** D1 to D5: one mutation of a row by somebody who leads the run from outside. */
export function decideDelta(
  ledger: LiveLedger,
  { atMs, delta, base }: Extract<LedgerCommand, { type: 'TakeDelta' }>,
): Outcome {
  const { task_id: task, delta_id, status } = delta;
  const earlier = ledger.deltas.get(delta_id);
  if (earlier) {
    const same = sameKeySameContent([earlier, delta], '');
    return same === true ? { events: [] } : { refusal: same };
  }
  if (base !== null && base !== ledger.version) {
    const reason = `the ledger is at version ${ledger.version}; the delta was made on ${base}`;
    return refuse('CONCURRENCY_CONFLICT', reason, { version: ledger.version, base });
  }
  const taken: LedgerEvent = { type: 'DeltaTaken', atMs, delta };
  const row = ledger.tasks.get(task);
  if (row) return mutate(ledger, row, delta, taken);
  if (status === 'todo') {
    const made = undescribed(delta);
    if (bytesOf(made) > TASK_BYTES_MAX) return tooLarge(task, TASK_BYTES_MAX);
    return { events: [taken, { type: 'TasksPlanned', atMs, tasks: [made] }] };
  }
  const reason = `${task} is not in the ledger, and status ${status} does not create it`;
  return refuse('LEDGER_INCONSISTENT', reason, { issues: [{ task_id: task, reason }] });
}

function mutate(ledger: LiveLedger, row: TaskRow, delta: Delta, taken: LedgerEvent): Outcome {
  const { task_id: task, status: to, owner, reason } = delta;
  const { atMs } = taken;
  if (to === row.status) return { events: [taken] };
  if (ledger.merging.has(task)) {
    const now = `${task} is being merged: read the ledger again`;
    return refuse('CONCURRENCY_CONFLICT', now, { version: ledger.version });
  }
  if (!MOVES[row.status].includes(to)) {
    return refuse('INVALID_TRANSITION', `${task} is ${row.status} and cannot become ${to}`, { status: row.status });
  }
  if (to === 'done') {
    return refuse('ACCEPTANCE_FAILED', `${task} is done when its result proves it, not because a delta says so`, {
      path: '/status',
    });
  }
  if (to === 'in_progress') {
    if (owner.trim() === '') return refuse('SCHEMA_INVALID', `${task} needs an owner to be in progress`);
    const against = beginProblem(ledger, row);
    if (against) return { refusal: against };
    return { events: [taken, ...withdrawn(row, atMs), begun(row, { atMs, owner, epoch: null, own: false })] };
  }
  return {
    events: [
      taken,
      ...withdrawn(row, atMs),
      { type: 'TaskMoved', atMs, task, to, code: codeOf(delta), reason, ...delayOf(delta, atMs) },
    ],
  };
}

const DELAY_MS_MAX = 24 * 3_600_000;

/** Whoever sends it back may say that it is to wait. */
function delayOf({ status, retry_after_ms: delayMs = 0 }: Delta, atMs: number): { notBeforeMs?: number } {
  return status === 'todo' && delayMs > 0 ? { notBeforeMs: atMs + Math.min(delayMs, DELAY_MS_MAX) } : {};
}

function codeOf({ timed_out, x_code }: Delta): ErrorCode | null {
  if (typeof x_code === 'string' && isErrorCode(x_code)) return x_code;
  return timed_out ? 'TASK_TIMEOUT' : null;
}

/**
 * Nobody has said what it may touch, so it may touch everything, and runs alone. A reason may be what a packet must not
 * hold: whoever is given the task would never get it.
 */
function undescribed({ task_id, reason }: Delta): PlanTask {
  const said = controlFieldIn(reason) === undefined ? reason.trim() : '';
  const title = [...said].slice(0, TITLE_LENGTH_MAX).join('') || task_id;
  return {
    ...{ task_id, title, type: 'serial', dependencies: [], lock_scope: ['.'], forbidden_scope: [] },
    acceptance_criteria: [said || task_id],
    worklog_path: `worklogs/${task_id}.jsonl`,
    ...{ timeout_seconds: TIMEOUT_S_DEFAULT, heartbeat_interval_seconds: BEAT_S_DEFAULT },
  };
}
