// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Asks that an agent move to another state of its life.
 */
export interface LifecycleTransition {
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * State to move to.
   */
  to:
    | 'Defined'
    | 'Provisioning'
    | 'Initialized'
    | 'Running'
    | 'Paused'
    | 'Maintaining'
    | 'Evolving'
    | 'Retiring'
    | 'Retired';
  /**
   * Why.
   */
  reason?: string;
  [k: string]: unknown;
}
