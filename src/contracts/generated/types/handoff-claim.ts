// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Somebody who can do work asks for some.
 */
export interface HandoffClaimBody {
  /**
   * As which agent.
   */
  agent?: string;
  /**
   * What the taker has.
   *
   * @maxItems 100
   */
  labels?: string[];
  /**
   * Seconds to wait for work; 0 looks once.
   */
  wait?: number;
}
