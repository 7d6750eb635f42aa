// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the perception stage writes: the input made uniform, with its surroundings.
 */
export interface PerceptionOutput {
  /**
   * The user's message, cleaned up.
   */
  normalized_input: string;
  /**
   * Language the message is written in.
   */
  detected_language?: string;
  /**
   * Names, files and symbols the message mentions.
   */
  extracted_entities?: string[];
  /**
   * What else is known.
   */
  context?: {
    /**
     * Earlier messages of the session.
     */
    session_history?: unknown[];
    /**
     * Preferences of the user.
     */
    user_preferences?: {
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
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
