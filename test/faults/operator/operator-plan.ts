import { randomUUID } from 'node:crypto';
import type { Plan } from '../../../src/contracts/generated/types/plan.js';
import { Seeded } from '../../simulation/seeded.js';

type PlanTask = Plan['tasks'][number];

/** What one task is to leave: a file of its own, and a line in each file that it shares with others who want the same folder. */
export type Duty = { task: string; own: string; shared: readonly string[] };
export type OperatorPlan = { plan: Plan & { run_id: string }; duties: ReadonlyMap<string, Duty> };

const TASKS_PER_AREA = 8;
const PARTS = 3;
const SERIAL = 0.06;
const DEPENDENT = 0.5;
/** How far back tasks depend. */
const BACK_MAX = 25;
const TIMEOUT_S = 120;
const BEAT_S = 10;

export function lineOf(task: string): string {
  return `done by ${task}\n`;
}

/** Tasks that want files, folders, folders around those of others, or two places at once; some run alone. */
export function operatorPlan(count: number, seed: number, agents: readonly string[]): OperatorPlan {
  const chance = new Seeded(seed);
  const duties = new Map<string, Duty>();
  const tasks: PlanTask[] = [];
  for (let number = 1; number <= count; number += 1) {
    const task_id = `T-${number}`;
    const { scope, ...duty } = placeOf(task_id, chance, Math.ceil(count / TASKS_PER_AREA));
    duties.set(task_id, { task: task_id, ...duty });
    tasks.push({
      ...{ task_id, title: `Do ${task_id}`, type: chance.chance(SERIAL) ? 'serial' : 'parallelizable' },
      dependencies: dependenciesOf(number, chance),
      ...{ lock_scope: scope, forbidden_scope: [], acceptance_criteria: [`${task_id} is done`] },
      worklog_path: `worklogs/${task_id}.jsonl`,
      ...{ timeout_seconds: TIMEOUT_S, heartbeat_interval_seconds: BEAT_S },
      ...{ priority: chance.pick(['low', 'normal', 'normal', 'high'] as const), agent: chance.pick(agents) },
    });
  }
  const run_id = randomUUID();
  return {
    plan: { schema_version: '1.0.0', run_id, global_objective: 'All of it, once', tasks: tasks as Plan['tasks'] },
    duties,
  };
}

function placeOf(task: string, chance: Seeded, areas: number): Omit<Duty, 'task'> & { scope: PlanTask['lock_scope'] } {
  const area = `area-${chance.below(areas)}`;
  const part = `${area}/part-${chance.below(PARTS)}`;
  switch (chance.pick(['file', 'part', 'part', 'area', 'two'])) {
    case 'file':
      return { scope: [`${part}/${task}.txt`], own: `${part}/${task}.txt`, shared: [] };
    case 'part':
      return { scope: [part], own: `${part}/${task}.txt`, shared: [`${part}/log.txt`] };
    case 'area':
      return { scope: [`${area}/`], own: `${area}/${task}.txt`, shared: [`${area}/log.txt`] };
    default: {
      const other = `area-${areas}/part-${chance.below(PARTS)}`;
      return { scope: [part, other], own: `${part}/${task}.txt`, shared: [`${part}/log.txt`, `${other}/log.txt`] };
    }
  }
}

function dependenciesOf(number: number, chance: Seeded): string[] {
  if (number === 1 || !chance.chance(DEPENDENT)) return [];
  const before = (): string => `T-${Math.max(1, number - 1 - chance.below(BACK_MAX))}`;
  return [...new Set([before(), before()])];
}
