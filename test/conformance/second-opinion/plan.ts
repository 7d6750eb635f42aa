/** INTERFACE.md, "Operator": the plan. Tasks may overlap each other, since then they run one after the other. */

import { generated, required } from './common-shapes.js';
import { hasCycle } from './cycles.js';
import { anyObject, type Finding, first, firstAmong, listOf, optional, record, text, unless, whole } from './shapes.js';
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

type Plan = { tasks: (Task & { context_package?: Context })[]; context_package?: Context };

export const planShape = record({
  ...required,
  run_id: optional(required.run_id),
  global_objective: text(5000),
  constraints: optional(anyObject),
  concurrency: optional(whole(1, 1000)),
  tasks: listOf(record({ ...taskFields, agent: optional(text()), context_package: optional(contextShape) }), {
    least: 1,
  }),
  context_package: optional(contextShape),
  ...generated,
});

export function planOpinion(value: unknown): Finding {
  const { tasks, context_package = [] } = value as Plan;
  const names = tasks.map((task) => task.task_id);
  const isKnown = (needed: string): boolean => names.includes(needed);
  const unique = names.every((name, index) => names.indexOf(name) === index);
  const complete = tasks.every((task) => task.dependencies.every(isKnown));
  return first(
    () => firstAmong(tasks, taskHolds),
    () => firstAmong(tasks, (task) => contextHolds(task.context_package ?? [])),
    () => contextHolds(context_package),
    () => firstAmong(tasks, scopesNormal),
    () => firstAmong(tasks, scopesHold),
    () => unless(unique && complete && !hasCycle(tasks), 'LEDGER_INCONSISTENT'),
  );
}
