import type { LiveJob } from '../../core/job/job-state.js';
import { NOTHING_SPENT } from '../../core/kernel/budget.js';
import type { BudgetLimits } from '../proxy/budget.js';

/** What a run may spend at providers. Of a job, zero is no limit; what is no job has none. */
export function jobBudget({ order, spent = NOTHING_SPENT }: Partial<LiveJob>): {
  limits: BudgetLimits;
  spent: { tokens: number; costMicroUsd: number };
} {
  const { tokens, costMicroUsd } = order?.limits ?? {};
  return {
    limits: { ...(tokens && { tokensMax: tokens }), ...(costMicroUsd && { costMicroUsdMax: costMicroUsd }) },
    spent,
  };
}
