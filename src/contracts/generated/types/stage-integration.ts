// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the integration stage writes: the answer for the user.
 */
export interface IntegrationOutput {
  /**
   * The answer.
   */
  final_response: string;
  /**
   * Where the answer is taken from.
   */
  citations?: Citation[];
  /**
   * Questions the user may want to ask next.
   */
  follow_up_suggestions?: string[];
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
 * One source of the answer.
 *
 * This interface was referenced by `IntegrationOutput`'s JSON-Schema
 * via the `definition` "Citation".
 */
export interface Citation {
  /**
   * What is cited.
   */
  text: string;
  /**
   * File and line, or another address.
   */
  location: string;
  [k: string]: unknown;
}
