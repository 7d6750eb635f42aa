import type { ErrorCode } from '../../contracts/shared/errors.js';
import type { Tally, TaskRow } from './ledger-state.js';
import type { TaskStatus } from './task-status.js';

/** What a packet is called that is not what was agreed. */
const INVALID: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SCHEMA_INVALID',
  'MISSING_REQUIRED_INPUT',
  'UNKNOWN_SCHEMA_VERSION',
]);

export function tallyAssigned(tally: Tally, { attempt }: TaskRow): void {
  tally.begun += 1;
  if (attempt === 1) tally.firstTries += 1;
  else tally.retried += 1;
}

export function tallyResult(tally: Tally, code: ErrorCode | null): void {
  tally.packets += 1;
  if (code === null || !INVALID.has(code)) tally.valid += 1;
}

export function tallyMoved(tally: Tally, { attempt }: TaskRow, to: TaskStatus, code: ErrorCode | null): void {
  if (code === 'MERGE_CONFLICT') tally.conflicts += 1;
  if (to !== 'done') return;
  if (attempt === 1) tally.firstPassed += 1;
  else tally.retriesPassed += 1;
}

/** Null before there is anything to count. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
