// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the critic stage writes: whether the goals are met.
 */
export interface CriticOutput {
  /**
   * approved: go on to the answer. reintent: start over from the intent. next_stage: keep what is done and plan the rest.
   */
  verdict: 'approved' | 'reintent' | 'next_stage';
  /**
   * Goals that are met.
   */
  satisfied_goals?: string[];
  /**
   * Goals that are not met yet.
   */
  unsatisfied_goals?: string[];
  /**
   * What is missing.
   */
  feedback?: string;
  /**
   * How sure the agent is.
   */
  confidence?: number;
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
