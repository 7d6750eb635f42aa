// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Bounds for a chain of recursive thoughts. What is left out takes its default.
 */
export interface CoRTOptions {
  /**
   * How deep thoughts may be nested.
   */
  max_depth?: number;
  /**
   * How many thoughts may grow from one.
   */
  max_branches?: number;
  /**
   * Time for the whole tree, in seconds. Absent means no limit of its own.
   */
  time_limit?: number;
  /**
   * Depths at which the thoughts so far are verified.
   */
  verification_checkpoints?: number[];
  /**
   * How often a thought is questioned and improved.
   */
  rounds?: number;
  /**
   * Thinking stops when a thought is surer than this.
   */
  stop_confidence?: number;
  [k: string]: unknown;
}
