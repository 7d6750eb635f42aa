import type { Engine } from '../engine/engine.js';
import type { JobService } from '../engine/job/job-service.js';
import type { Baton } from '../engine/opened-baton.js';
import type { Home } from '../engine/opened-home.js';
import { rulesIn } from '../engine/rules/rule-book.js';
import type { BudgetService } from '../engine/system/budget-service.js';
import { newToken } from '../system/new-token.js';
import { shellReader } from './agents.js';

export type SystemServices = Pick<Baton, 'rules' | 'tokens' | 'notifiers'> & { budgets: BudgetService };

/** What is kept in the run `system`, for people to see and change. */
export async function systemServices(
  { store, clock, machines, hasher }: Home,
  engine: Engine,
): Promise<SystemServices> {
  const [{ RuleService }, { TokenService }, { NotifierService }, { BudgetService }] = await Promise.all([
    import('../engine/rules/rule-service.js'),
    import('../engine/access/token-service.js'),
    import('../engine/system/notifier-service.js'),
    import('../engine/system/budget-service.js'),
  ]);
  const around = { store, clock, machines, engine };
  return {
    rules: new RuleService({ kept: () => rulesIn(store, machines), clock, shell: shellReader }, engine),
    tokens: new TokenService({ ...around, hasher, newToken }),
    notifiers: new NotifierService(around),
    budgets: new BudgetService(around),
  };
}

/** What a terminal does with jobs, in the words that a server has for it too. */
export function atTheDesk({ store, hasher }: Home, jobs: JobService, budgets: BudgetService) {
  return {
    served: null,
    async act(run, act, said, by) {
      const { JOB_ACTS } = await import('../engine/job/job-acts.js');
      await JOB_ACTS[act](jobs, run, said, by);
    },
    async handIn(run, answer, by) {
      const { handIn } = await import('../engine/job/hand-in.js');
      return handIn({ jobs, hasher }, run, answer, by);
    },
    async history(run) {
      await jobs.state(run);
      return (await import('../engine/shown/job-history-in.js')).historyIn(store, run);
    },
    async manifest(run) {
      await jobs.state(run);
      return (await import('../engine/shown/job-manifest-in.js')).manifestIn(store, jobs, run);
    },
    budgets: async () => (await import('../engine/shown/budget-object.js')).budgetObjects(budgets),
    async setBudget(order, by) {
      return (await import('../engine/shown/budget-object.js')).setBudget(budgets, order, by);
    },
    body: async (_run, sha256) => new TextDecoder().decode(await store.body(sha256)),
  } satisfies Partial<Baton>;
}
