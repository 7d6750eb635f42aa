// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What a validator says about a payload.
 */
export interface VerdictObject {
  /**
   * Whether the payload is accepted.
   */
  allow: boolean;
  /**
   * Short name of the outcome.
   */
  code: string;
  /**
   * The outcome in words.
   */
  reason: string;
  /**
   * Where and why, for programs.
   */
  details?: {
    [k: string]: unknown;
  };
  /**
   * What to do about it.
   */
  hint?: string;
  /**
   * File the payload came from.
   */
  file?: string;
  /**
   * Line the payload came from, from one.
   */
  line?: number;
  [k: string]: unknown;
}
