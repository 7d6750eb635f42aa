import type { Task } from '../generated/types/assignment.js';
import type { Rule } from '../shared/contract.js';
import { refusePath } from '../shared/relative-path.js';
import { firstDenial, refuseControl } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';
import { apart, normalisable, withoutSelfOverlap } from './scope-rules.js';

type ContextItem = { value: string };

/** Rules on one task, shared by the assignment packet and the plan. `path` is where the task stands. */
export function untrustedCriteria({ acceptance_criteria }: Task, path: string): true | Denial {
  return firstDenial(
    acceptance_criteria.map((text, index) => refuseControl(text, `${path}/acceptance_criteria/${index}`)),
  );
}

export function worklogInside({ worklog_path }: Task, path: string): true | Denial {
  return refusePath(worklog_path, `${path}/worklog_path`, 'SCHEMA_INVALID');
}

export function heartbeatBelowTimeout(task: Task, path: string): true | Denial {
  const { heartbeat_interval_seconds: heartbeat, timeout_seconds: timeout } = task;
  return (
    heartbeat < timeout ||
    deny('SCHEMA_INVALID', `${path}/heartbeat_interval_seconds ${heartbeat} is not below timeout_seconds ${timeout}`, {
      path: `${path}/heartbeat_interval_seconds`,
    })
  );
}

export function untrustedContext(context: readonly ContextItem[], path: string): true | Denial {
  return firstDenial(context.map(({ value }, index) => refuseControl(value, `${path}/${index}/value`)));
}

export function scopesNormalise({ lock_scope, forbidden_scope }: Task, path: string): true | Denial {
  const lock = normalisable(lock_scope, `${path}/lock_scope`);
  return lock === true ? normalisable(forbidden_scope, `${path}/forbidden_scope`) : lock;
}

export function scopesApart({ lock_scope, forbidden_scope }: Task, path: string): true | Denial {
  return apart(lock_scope, forbidden_scope, path);
}

export function noSelfOverlap({ lock_scope }: Task, path: string): true | Denial {
  return withoutSelfOverlap(lock_scope, `${path}/lock_scope`);
}

/** A rule on the task of a packet, as a rule on the packet. */
export function onTask<T extends { task: Task }>(rule: (task: Task, path: string) => true | Denial): Rule<T> {
  return ({ task }) => rule(task, '/task');
}
