/** What an assignment and a plan say about a task, and the rules both share. */

import { priority, resource, taskId } from './common-shapes.js';
import { scopeApart } from './locks.js';
import { conflict, isHarmlessFile, knownPath, normal } from './paths.js';
import { type Finding, first, listOf, oneOf, optional, record, text, unless, whole } from './shapes.js';
import { noOrders } from './untrusted.js';

export type Task = {
  task_id: string;
  dependencies: string[];
  lock_scope: string[];
  forbidden_scope: string[];
  acceptance_criteria: string[];
  worklog_path: string;
  timeout_seconds: number;
  heartbeat_interval_seconds: number;
};
export type Context = { value: string }[];

export const taskFields = {
  task_id: taskId,
  title: text(500),
  type: oneOf('parallelizable', 'serial'),
  dependencies: listOf(taskId),
  lock_scope: listOf(resource, { least: 1 }),
  forbidden_scope: listOf(resource),
  acceptance_criteria: listOf(text(), { least: 1 }),
  worklog_path: text(1000),
  timeout_seconds: whole(30),
  heartbeat_interval_seconds: whole(5),
  priority: optional(priority),
};

export const contextShape = listOf(record({ kind: oneOf('file', 'note', 'command', 'constraint'), value: text() }));

/** What can be said about a task by itself, before any path is compared. */
export function taskHolds(task: Task): Finding {
  return first(
    () => noOrders(task.acceptance_criteria),
    () => unless(isHarmlessFile(task.worklog_path), 'SCHEMA_INVALID'),
    () => unless(task.heartbeat_interval_seconds < task.timeout_seconds, 'SCHEMA_INVALID'),
  );
}

export function contextHolds(context: Context): Finding {
  return noOrders(context.map((item) => item.value));
}

export function scopesNormal({ lock_scope, forbidden_scope }: Task): Finding {
  return normal([...lock_scope, ...forbidden_scope]);
}

export function scopesHold({ lock_scope, forbidden_scope }: Task): Finding {
  const forbidden = forbidden_scope.map(knownPath);
  const clash = lock_scope.map(knownPath).some((wanted) => forbidden.some((other) => conflict(wanted, other)));
  return first(
    () => unless(!clash, 'SCOPE_VIOLATION'),
    () => scopeApart(lock_scope),
  );
}
