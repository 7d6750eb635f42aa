import { budgetOrder } from '../../contracts/api/budget-order.js';
import type { Budget, NoBudget } from '../../contracts/api/cost-shapes.js';
import type { BudgetOrderBody } from '../../contracts/generated/types/budget-order.js';
import { type Asked, type Route, route, withBody } from '../route.js';

const PATH = '/api/v1/budgets';

export const budgetRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: PATH, verb: 'look', summary: 'What may be spent on a day, and what was today.' },
    answer: async ({ baton }) => ({ items: await baton.budgets(), next: null }),
  }),
  withBody({
    ...{ method: 'POST', path: PATH, verb: 'budget.change', summary: 'Set a budget, or take it away.' },
    body: budgetOrder,
    async answer({ baton, body, by }: Asked<BudgetOrderBody>): Promise<Budget | NoBudget> {
      const { project } = body;
      return (await baton.setBudget(body, by)) ?? { project, per: 'day', limit_usd: null, limit_tokens: null };
    },
  }),
];
