import type { Task } from '../generated/types/assignment.js';
import { isPlainPath } from '../shared/plain-path.js';
import { refusePath } from '../shared/relative-path.js';
import { controlFieldIn, refuseControl, refuseControlIn } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';
import { apart, normalisable, withoutSelfOverlap } from './scope-rules.js';

/**
 * Rules on one task, shared by the assignment packet and the plan. `path` is where the task stands. They are plain
 * calls in the document's order: a list of closures here would cost as much as the schema itself.
 */
export function taskHolds(task: Task, path: string): true | Denial {
  const criteria = refuseControlIn(task.acceptance_criteria, (index) => `${path}/acceptance_criteria/${index}`);
  if (criteria !== true) return criteria;
  if (!isPlainPath(task.worklog_path)) {
    const worklog = refusePath(task.worklog_path, `${path}/worklog_path`, 'SCHEMA_INVALID');
    if (worklog !== true) return worklog;
  }
  const { heartbeat_interval_seconds: heartbeat, timeout_seconds: timeout } = task;
  if (heartbeat < timeout) return true;
  const at = `${path}/heartbeat_interval_seconds`;
  return deny('SCHEMA_INVALID', `${at} ${heartbeat} is not below timeout_seconds ${timeout}`, { path: at });
}

export function contextHolds(context: readonly { value: string }[], path: string): true | Denial {
  for (let index = 0; index < context.length; index += 1) {
    const { value } = context[index] as { value: string };
    if (controlFieldIn(value) !== undefined) return refuseControl(value, `${path}/${index}/value`);
  }
  return true;
}

export function scopesNormalise({ lock_scope, forbidden_scope }: Task, path: string): true | Denial {
  const lock = normalisable(lock_scope, (index) => `${path}/lock_scope/${index}`);
  return lock === true ? normalisable(forbidden_scope, (index) => `${path}/forbidden_scope/${index}`) : lock;
}

export function scopesApart({ lock_scope, forbidden_scope }: Task, path: string): true | Denial {
  const forbidden = apart(lock_scope, forbidden_scope, path);
  if (forbidden !== true || lock_scope.length < 2) return forbidden;
  return withoutSelfOverlap(lock_scope, `${path}/lock_scope`);
}
