// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * One failure, as listed in the errors of an envelope.
 */
export interface EnvelopeError {
  /**
   * Stage or agent that failed.
   */
  agent: string;
  /**
   * Kind of failure, such as ToolError.
   */
  error_type: string;
  /**
   * What went wrong, in words.
   */
  message: string;
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Whether the work could go on.
   */
  recoverable: boolean;
  /**
   * Anything that helps to find the cause.
   */
  details?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}
