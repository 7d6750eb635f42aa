// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Says that an agent moved from one state of its life to another.
 */
export interface LifecycleEvent {
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * What happened.
   */
  event:
    | 'Created'
    | 'Started'
    | 'Paused'
    | 'Resumed'
    | 'MaintenanceStarted'
    | 'MaintenanceEnded'
    | 'EvolutionStarted'
    | 'Evolved'
    | 'RetirementStarted'
    | 'Retired'
    | 'ErrorOccurred';
  /**
   * State before; null when the agent is new.
   */
  from:
    | 'Defined'
    | 'Provisioning'
    | 'Initialized'
    | 'Running'
    | 'Paused'
    | 'Maintaining'
    | 'Evolving'
    | 'Retiring'
    | 'Retired'
    | null;
  /**
   * State after.
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
