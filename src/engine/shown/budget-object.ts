import type { JudgedBudget } from '../../core/system/day-budget.js';

const MICRO = 1_000_000;

/** A budget as scripts get it; null is no limit of that kind. */
export function budgetObject({ project, limits, spent }: JudgedBudget, resetsAtMs: number) {
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
