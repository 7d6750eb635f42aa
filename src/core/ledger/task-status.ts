import type { ErrorCode } from '../../contracts/shared/errors.js';

export const TASK_STATUSES = ['todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Where a task may go from where; what is done, failed or canceled stays so. */
export const MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  todo: ['in_progress', 'blocked', 'failed', 'canceled'],
  in_progress: ['done', 'blocked', 'failed', 'canceled'],
  blocked: ['todo', 'in_progress', 'failed', 'canceled'],
  done: [],
  failed: [],
  canceled: [],
};

export function isFinal(status: TaskStatus): boolean {
  return MOVES[status].length === 0;
}

export const PRIORITIES = ['critical', 'high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** So many times a task is tried again by itself; then somebody else does it, or a person decides. */
export const RETRIES_MAX = 1;
/** Whoever did this would do it again. */
const NEVER_AGAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SCHEMA_INVALID', 'SCOPE_VIOLATION', 'NON_COMPLIANT']);

export function isForGood(code: ErrorCode): boolean {
  return NEVER_AGAIN.has(code);
}
