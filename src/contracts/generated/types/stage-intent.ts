// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the intent stage writes: what the user wants, as goals.
 */
export interface IntentOutput {
  /**
   * What kind of request this is, such as trace_flow, analyze_code or explain.
   */
  intent: string;
  /**
   * What must be true for the request to be answered. May be empty while a question is open.
   */
  goals: string[];
  /**
   * How sure the agent is.
   */
  confidence?: number;
  /**
   * True when the user must be asked first.
   */
  clarification_needed?: boolean;
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
