// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the plan stage writes: the steps to take.
 */
export interface PlanOutput {
  /**
   * Name of this plan.
   */
  plan_id: string;
  /**
   * The steps, in order.
   */
  steps: PlanStep[];
  /**
   * How hard the plan looks, such as low, medium or high.
   */
  estimated_complexity?: string;
  /**
   * Question to put to the user before going on.
   */
  clarification_question?: string | null;
  /**
   * What the user must agree to before going on.
   */
  confirmation_message?: string | null;
  [k: string]: unknown;
}
/**
 * One use of one tool.
 *
 * This interface was referenced by `PlanOutput`'s JSON-Schema
 * via the `definition` "PlanStep".
 */
export interface PlanStep {
  /**
   * Tool to run.
   */
  tool: string;
  /**
   * What to give to the tool. Absent means nothing.
   */
  params?: {
    [k: string]: unknown;
  };
  /**
   * What the step should bring.
   */
  expected_output?: string;
  [k: string]: unknown;
}
