// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Finds agents. An agent must match every field that is given; no field at all finds all agents.
 */
export interface AgentQuery {
  /**
   * First part of the classification, such as Component. A star matches any.
   */
  primary_type?: string;
  /**
   * Second part of the classification, such as Government. A star matches any.
   */
  domain?: string;
  /**
   * The agent must have all of these. A star matches any.
   */
  capabilities?: string[];
  /**
   * Fourth part of the classification, such as Supervisor. A star matches any.
   */
  role?: string;
  /**
   * Fifth part of the classification, such as Persistent. A star matches any.
   */
  lifecycle?: string;
  /**
   * Sixth part of the classification, such as Restricted. A star matches any.
   */
  security?: string;
  /**
   * Whether the agent can take work now. A star matches any.
   */
  status?: 'available' | 'busy' | 'waiting' | 'unhealthy' | 'offline' | '*';
  /**
   * The agent it belongs to. A star matches any agent that has a parent.
   */
  parent_id?: string;
  [k: string]: unknown;
}
