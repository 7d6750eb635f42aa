// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What is said to make an envelope: what `baton envelope create` reads.
 */
export interface EnvelopeOrderBody {
  /**
   * Original user message.
   */
  raw_input: string;
  /**
   * User identifier.
   */
  user_id?: string;
  /**
   * Session it belongs to; one is made when it is absent.
   */
  session_id?: string;
  /**
   * Request it answers; one is made when it is absent.
   */
  request_id?: string;
  /**
   * Names of the stages of its pipeline, in order; absent means that the pipeline says.
   */
  stage_order?: string[];
  /**
   * Anything else that goes with it.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
