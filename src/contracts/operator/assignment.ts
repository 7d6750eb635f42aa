import type { Assignment } from '../generated/types/assignment.js';
import { validate, validateStrict } from '../generated/validators/assignment.js';
import type { Contract, Rule } from '../shared/contract.js';
import { freeOfOthers, locksApart, normalisable } from './scope-rules.js';
import {
  heartbeatBelowTimeout,
  noSelfOverlap,
  onTask,
  scopesApart,
  scopesNormalise,
  untrustedContext,
  untrustedCriteria,
  worklogInside,
} from './task-rules.js';

const taskHolds: readonly Rule<Assignment>[] = [
  onTask(untrustedCriteria),
  onTask(worklogInside),
  onTask(heartbeatBelowTimeout),
];
const contextHolds: Rule<Assignment> = ({ context_package }) => untrustedContext(context_package, '/context_package');

/** Contract 003, "Packet: Assignment". The rules stand in the order in which a packet is checked. */
export const assignment: Contract<Assignment> = {
  name: 'assignment',
  validate,
  validateStrict,
  versioned: 'required',
  rulesBefore: { context_package: taskHolds, active_locks: [...taskHolds, contextHolds] },
  rules: [
    ...taskHolds,
    contextHolds,
    onTask(scopesNormalise),
    ({ active_locks }) =>
      normalisable(
        active_locks.map(({ resource }) => resource),
        '/active_locks',
      ),
    onTask(scopesApart),
    onTask(noSelfOverlap),
    ({ task, active_locks }) => freeOfOthers(task.task_id, task.lock_scope, active_locks),
    ({ active_locks }) => locksApart(active_locks, '/active_locks'),
  ],
};
