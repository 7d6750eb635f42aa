// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What a project, or all together, may spend on a day.
 */
export interface BudgetOrderBody {
  /**
   * Whose budget; null is all projects together.
   */
  project: string | null;
  /**
   * Dollars; null does not limit them.
   */
  usd_per_day: number | null;
  /**
   * Input and output tokens; null or absent does not limit them. Without any limit the budget is taken away.
   */
  tokens_per_day?: number | null;
}
