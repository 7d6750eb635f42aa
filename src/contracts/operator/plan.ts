import type { Plan } from '../generated/types/plan.js';
import { validate, validateStrict } from '../generated/validators/plan.js';
import type { Contract, Rule } from '../shared/contract.js';
import { firstDenial } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';
import { findCycle } from './dependency-cycle.js';
import { contextHolds, scopesApart, scopesNormalise, taskHolds } from './task-rules.js';

type PlanTask = Plan['tasks'][number];

function onEveryTask(rule: (task: PlanTask, path: string) => true | Denial): Rule<Plan> {
  return ({ tasks }) => firstDenial(tasks.map((task, index) => rule(task, `/tasks/${index}`)));
}

/** The plan of an operator run. Tasks that overlap each other are legal: they are run one after the other. */
export const plan: Contract<Plan> = {
  name: 'plan',
  validate,
  validateStrict,
  versioned: 'required',
  rules: [
    onEveryTask(taskHolds),
    onEveryTask(({ context_package = [] }, path) => contextHolds(context_package, `${path}/context_package`)),
    ({ context_package = [] }) => contextHolds(context_package, '/context_package'),
    onEveryTask(scopesNormalise),
    onEveryTask(scopesApart),
    dependenciesHold,
  ],
};

function dependenciesHold({ tasks }: Plan): true | Denial {
  const names = new Set<string>();
  for (const { task_id } of tasks) {
    if (names.has(task_id)) return inconsistent(task_id, `${task_id} stands twice`);
    names.add(task_id);
  }
  for (const { task_id, dependencies } of tasks) {
    const unknown = dependencies.find((needed) => !names.has(needed));
    if (unknown !== undefined)
      return inconsistent(task_id, `${task_id} depends on ${unknown}, which is not in the plan`);
    if (dependencies.includes(task_id)) return inconsistent(task_id, `${task_id} depends on itself`);
  }
  const cycle = findCycle(tasks);
  if (!cycle) return true;
  return inconsistent(cycle[0] as string, `dependencies form a cycle: ${[...cycle, cycle[0]].join(' → ')}`);
}

function inconsistent(task_id: string, reason: string): Denial {
  return deny('LEDGER_INCONSISTENT', reason, { issues: [{ task_id, reason }] });
}
