import type { Plan, PlanTask } from '../../contracts/generated/types/plan.js';
import { plan as planContract } from '../../contracts/operator/plan.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { resourceOf } from '../../contracts/shared/resource.js';
import { projectOf } from '../../core/kernel/project.js';
import type { LedgerOrder, Standing } from '../../core/ledger/ledger-messages.js';
import type { Desk } from '../desk.js';
import { limitsOf } from '../job/job-options.js';
import { openingOf } from './handoff-bundle.js';

/** What is said beside a plan: the flags of `baton operator init`, in snake_case. */
export type LedgerOptions = {
  repo: string;
  agent?: string;
  fallback?: string;
  planner?: string;
  concurrency?: number;
  project?: string;
  env?: readonly string[];
  network?: readonly string[];
  limits?: Parameters<typeof limitsOf>[0];
};

export type Opening = { order: LedgerOrder; tasks: readonly PlanTask[]; standings: readonly Standing[] };

const CONCURRENCY_DEFAULT = 4;

export function openingOfPlan(input: unknown, options: LedgerOptions, newId: () => string): Opening {
  return openingWith(parseContract(planContract, input), [], options, newId);
}

/** The plan in a bundle is judged like any other. */
export function openingOfBundle(input: unknown, options: LedgerOptions, newId: () => string): Opening {
  const { plan, standings } = openingOf(input);
  return openingWith(parseContract(planContract, plan), standings, options, newId);
}

/** What is to be reached, for whoever makes a plan of it. */
export type Objective = Pick<Plan, 'run_id' | 'global_objective' | 'constraints' | 'context_package'>;

export function openingOfObjective(said: Objective, options: LedgerOptions, newId: () => string): Opening {
  const { global_objective } = said;
  if (global_objective.trim() === '' || global_objective.length > OBJECTIVE_LENGTH_MAX) {
    const reason = `an objective has from 1 to ${OBJECTIVE_LENGTH_MAX} characters, not ${global_objective.length}`;
    throw new BatonError('SCHEMA_INVALID', reason, { path: '/global_objective' });
  }
  return openingWith({ ...said, tasks: [] }, [], options, newId);
}

const OBJECTIVE_LENGTH_MAX = 5_000;

type Planned = Objective & Pick<Plan, 'concurrency'> & { tasks: readonly PlanTask[] };

function openingWith(
  plan: Planned,
  standings: readonly Standing[],
  options: LedgerOptions,
  newId: () => string,
): Opening {
  const { run_id, global_objective, constraints = {}, concurrency, context_package = [] } = plan;
  const order: LedgerOrder = {
    ...{ run: run_id ?? newId(), objective: global_objective, constraints, context: context_package },
    concurrency: options.concurrency ?? concurrency ?? CONCURRENCY_DEFAULT,
    repository: options.repo,
    project: projectOf(options.project, options.repo),
    ...{ agent: options.agent ?? null, fallback: options.fallback ?? null, planner: options.planner ?? null },
    ...{ env: options.env ?? [], network: options.network ?? [], limits: limitsOf(options.limits ?? {}) },
  };
  return { order, tasks: plan.tasks.map(normalised), standings };
}

/** A folder that is to be made is told by the slash at its end: that is kept. */
function normalised(task: PlanTask): PlanTask {
  const scope = task.lock_scope.map((text) => `${resourceOf(text)}${/[^/\\.][/\\]\s*$/.test(text) ? '/' : ''}`);
  return { ...task, lock_scope: scope as PlanTask['lock_scope'] };
}

/**
 * Where, and who does what names nobody. Nobody is needed where every task names its own, or where others come and
 * claim.
 */
export async function ledgerDefaults(
  { withDefaults }: Pick<Desk, 'withDefaults'>,
  { repo, agent }: { repo?: string; agent?: string },
  cwd: string | null,
): Promise<{ repo?: string; agent?: string }> {
  const said = { ...(repo !== undefined && { repo }), ...(agent !== undefined && { agent }) };
  const { options } = await withDefaults({ prompt: '', phases: [], ...said }, cwd);
  return {
    ...(options.repo !== undefined && { repo: options.repo }),
    ...(options.agent !== undefined && { agent: options.agent }),
  };
}

/** Everybody who is named must be there to be asked; `knows` throws when one is not. */
export async function checkAgents(
  { order, tasks }: Pick<Opening, 'order' | 'tasks'>,
  knows: (agent: string) => Promise<void>,
): Promise<void> {
  const named = [order.agent, order.fallback, order.planner, ...tasks.map(({ agent }) => agent ?? null)];
  for (const agent of new Set(named)) if (agent !== null) await knows(agent);
}
