// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * A rule about commands or hosts that is to be kept.
 */
export interface RuleOrderBody {
  /**
   * What happens.
   */
  decision: 'allow' | 'ask' | 'deny';
  /**
   * Absolute path of the repository it is for.
   */
  repo: string;
  /**
   * How the command begins, word by word.
   *
   * @minItems 1
   * @maxItems 100
   */
  argv?: [string, ...string[]];
  /**
   * Only there.
   */
  folder?: string;
  /**
   * Only to that host.
   */
  host?: string;
  /**
   * Only for that agent.
   */
  agent?: string;
  /**
   * When it ends.
   */
  expires_at?: string;
}
