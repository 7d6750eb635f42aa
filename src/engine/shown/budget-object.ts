import type { Budget } from '../../contracts/api/cost-shapes.js';
import type { BudgetOrderBody } from '../../contracts/generated/types/budget-order.js';
import type { JudgedBudget } from '../../core/system/day-budget.js';
import { budgetLimits } from '../job/job-options.js';
import type { Origin } from '../seal.js';
import type { BudgetService } from '../system/budget-service.js';

const MICRO = 1_000_000;

/** A budget as scripts get it; null is no limit of that kind. */
function budgetObject({ project, limits, spent }: JudgedBudget, resetsAtMs: number): Budget {
  const { costMicroUsd, tokens } = limits;
  return {
    ...{ project, per: 'day' },
    limit_usd: costMicroUsd === undefined ? null : costMicroUsd / MICRO,
    spent_usd: spent.costMicroUsd / MICRO,
    left_usd: costMicroUsd === undefined ? null : Math.max(0, costMicroUsd - spent.costMicroUsd) / MICRO,
    limit_tokens: tokens ?? null,
    spent_tokens: spent.tokens,
    left_tokens: tokens === undefined ? null : Math.max(0, tokens - spent.tokens),
    resets_at: new Date(resetsAtMs).toISOString(),
  };
}

export async function budgetObjects(budgets: BudgetService): Promise<Budget[]> {
  const { items, resetsAtMs } = await budgets.list();
  return items.map((one) => budgetObject(one, resetsAtMs));
}

/** Answers with the budget as it is then, or null when it was taken away. */
export async function setBudget(
  budgets: BudgetService,
  { project, usd_per_day, tokens_per_day }: BudgetOrderBody,
  by: Pick<Origin, 'actor' | 'key'>,
): Promise<Budget | null> {
  await budgets.set(project, budgetLimits(usd_per_day, tokens_per_day ?? null), by);
  return (await budgetObjects(budgets)).find((one) => one.project === project) ?? null;
}
