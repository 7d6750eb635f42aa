import { budgetOrder } from '../../contracts/api/budget-order.js';
import type { BudgetOrderBody } from '../../contracts/generated/types/budget-order.js';
import { budgetLimits } from '../../engine/job/job-options.js';
import { budgetObject } from '../../engine/shown/budget-object.js';
import { type Asked, type Route, route, withBody } from '../route.js';

const PATH = '/api/v1/budgets';

export const budgetRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: PATH, verb: 'look', summary: 'What may be spent on a day, and what was today.' },
    async answer({ baton }) {
      const { items, resetsAtMs } = await baton.budgets.list();
      return { items: items.map((one) => budgetObject(one, resetsAtMs)), next: null };
    },
  }),
  withBody({
    ...{ method: 'POST', path: PATH, verb: 'budget.change', summary: 'Set a budget, or take it away.' },
    body: budgetOrder,
    async answer({ baton, body, by }: Asked<BudgetOrderBody>) {
      const { project, usd_per_day, tokens_per_day } = body;
      await baton.budgets.set(project, budgetLimits(usd_per_day, tokens_per_day ?? null), by);
      const { items, resetsAtMs } = await baton.budgets.list();
      const set = items.find((one) => one.project === project);
      return set ? budgetObject(set, resetsAtMs) : { project, per: 'day', limit_usd: null, limit_tokens: null };
    },
  }),
];
