/** Contract 003, "Packet: Assignment", in the order of SPEC 6. */

import { generated, required } from './common-shapes.js';
import { type Lock, lock, locksApart, locksNormal } from './locks.js';
import { conflict, knownPath } from './paths.js';
import { type Fields, type Finding, first, isFields, listOf, oneOf, record, text, unless } from './shapes.js';
import {
  type Context,
  contextHolds,
  contextShape,
  scopesHold,
  scopesNormal,
  type Task,
  taskFields,
  taskHolds,
} from './tasks.js';

export type Packet = { run_id: string; task: Task; context_package: Context; active_locks: Lock[] };

const head = {
  ...required,
  packet_type: oneOf('assignment'),
  global_objective: text(5000),
  required_output_schema: oneOf('subagent_result_v1'),
};
const task = record(taskFields);
const lockList = listOf(lock);
const nothing = { problem: () => undefined, hasUnknown: () => false };

/** All that must be there, and the fields before the task. */
const beginning = record({ ...head, task: nothing, context_package: nothing, active_locks: nothing });
const end = record(generated);

export function assignmentOpinion(value: unknown, strict: boolean): Finding {
  const begun = beginning.problem(value);
  if (begun || !isFields(value)) return begun ?? 'SCHEMA_INVALID';
  const packet = value as Fields & Packet;
  // Context and locks are looked at after the task has been judged as a whole.
  const atContext = (found: Finding): Finding => found && (taskHolds(packet.task) ?? found);
  const atLocks = (found: Finding): Finding => atContext(found && (contextHolds(packet.context_package) ?? found));
  return first(
    () => task.problem(packet.task),
    () => atContext(contextShape.problem(packet.context_package)),
    () => atLocks(lockList.problem(packet.active_locks)),
    () => end.problem(packet),
    () => (strict ? unknownField(packet, atContext, atLocks) : undefined),
    () => taskHolds(packet.task),
    () => contextHolds(packet.context_package),
    () => scopesNormal(packet.task),
    () => locksNormal(packet.active_locks),
    () => scopesHold(packet.task),
    () => freeOfOthers(packet),
    () => locksApart(packet.active_locks),
  );
}

type AtField = (found: Finding) => Finding;

/** Strict mode: an unknown field is a fault of the part it stands in. */
function unknownField(packet: Fields & Packet, atContext: AtField, atLocks: AtField): Finding {
  const outer = record({ ...head, task, context_package: nothing, active_locks: nothing, ...generated });
  return first(
    () => unless(!outer.hasUnknown(packet), 'SCHEMA_INVALID'),
    () => atContext(unless(!contextShape.hasUnknown(packet.context_package), 'SCHEMA_INVALID')),
    () => atLocks(unless(!lockList.hasUnknown(packet.active_locks), 'SCHEMA_INVALID')),
  );
}

function freeOfOthers({ task: { task_id, lock_scope }, active_locks }: Packet): Finding {
  const others = active_locks.filter((held) => held.active && held.task_id !== task_id);
  const clash = lock_scope.some((wanted) =>
    others.some((held) => conflict(knownPath(wanted), knownPath(held.resource))),
  );
  return unless(!clash, 'LOCK_CONFLICT');
}
