import type { Assignment } from '../generated/types/assignment.js';
import { validate, validateStrict } from '../generated/validators/assignment.js';
import type { Contract, Rule } from '../shared/contract.js';
import { scopesPlainlyHold } from './plain-scopes.js';
import { freeOfOthers, locksApart, resourcesNormalise } from './scope-rules.js';
import { contextHolds, scopesApart, scopesNormalise, taskHolds } from './task-rules.js';

const task: Rule<Assignment> = (packet) => taskHolds(packet.task, '/task');
const context: Rule<Assignment> = (packet) => contextHolds(packet.context_package, '/context_package');

const scopes: Rule<Assignment> = (packet) => {
  if (scopesPlainlyHold(packet)) return true;
  const normal = scopesNormalise(packet.task, '/task');
  if (normal !== true) return normal;
  const locksNormal = resourcesNormalise(packet.active_locks, '/active_locks');
  if (locksNormal !== true) return locksNormal;
  const own = scopesApart(packet.task, '/task');
  if (own !== true) return own;
  const free = freeOfOthers(packet.task.task_id, packet.task.lock_scope, packet.active_locks);
  return free === true ? locksApart(packet.active_locks, '/active_locks') : free;
};

/** Contract 003, "Packet: Assignment". The rules stand in the order in which a packet is checked. */
export const assignment: Contract<Assignment> = {
  name: 'assignment',
  validate,
  validateStrict,
  versioned: 'required',
  rulesBefore: { context_package: [task], active_locks: [task, context] },
  rules: [task, context, scopes],
};
