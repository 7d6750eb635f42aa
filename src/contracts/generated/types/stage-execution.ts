// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the execution stage writes: how each step of the plan went.
 */
export interface ExecutionOutput {
  /**
   * success when every step worked, partial when some did, error when none did.
   */
  status: 'success' | 'partial' | 'error';
  /**
   * One entry per step that was run.
   */
  results: StepResult[];
  /**
   * Places that support the answer.
   */
  evidence?: ExecutionEvidence[];
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
 * How one step went.
 *
 * This interface was referenced by `ExecutionOutput`'s JSON-Schema
 * via the `definition` "StepResult".
 */
export interface StepResult {
  /**
   * Which step of the plan, from zero.
   */
  step_index: number;
  /**
   * Tool that was run.
   */
  tool: string;
  /**
   * What the tool gave back.
   */
  result?: {
    [k: string]: unknown;
  };
  /**
   * How long the step took, in milliseconds.
   */
  duration_ms?: number;
  [k: string]: unknown;
}
/**
 * One place that supports the answer.
 *
 * This interface was referenced by `ExecutionOutput`'s JSON-Schema
 * via the `definition` "ExecutionEvidence".
 */
export interface ExecutionEvidence {
  /**
   * File and line, or another address.
   */
  location: string;
  /**
   * What stands there.
   */
  content?: string;
  /**
   * Why it matters.
   */
  relevance?: string;
  [k: string]: unknown;
}
