// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the agent may do: a level of the classification such as Restricted, or an object that narrows it further.
 *
 * This interface was referenced by `SubAgentSpec`'s JSON-Schema
 * via the `definition` "AgentSecurity".
 */
export type AgentSecurity =
  | string
  | {
      /**
       * Level of the classification, such as Full-Access, Restricted or Public.
       */
      level?: string;
      /**
       * The widest sandbox the agent may run in.
       */
      sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
      /**
       * Hosts the agent may reach.
       */
      network?: string[];
      /**
       * Files and folders the agent may change, relative to the workspace root.
       */
      paths?: string[];
      /**
       * Tools the agent may use.
       */
      tools?: string[];
      [k: string]: unknown;
    };

/**
 * Asks for a new agent under an existing one. Its limits come out of the parent's and its rights never go beyond them.
 */
export interface SubAgentSpec {
  /**
   * Name of the new agent. Absent means one is made up.
   */
  id?: string;
  /**
   * The agent the new one belongs to.
   */
  parent_id: string;
  /**
   * What the new agent is for.
   */
  purpose: string;
  /**
   * Registered agent that does the work. Absent means the parent's.
   */
  agent?: string;
  /**
   * Standing instructions for the new agent.
   */
  instructions?: string;
  /**
   * Six parts with dots between them: primary type, domain, capability, role, lifecycle, security.
   */
  classification?: string;
  /**
   * What the new agent must be able to do.
   */
  capabilities?: string[];
  security?: AgentSecurity;
  limits?: AgentLimits;
  [k: string]: unknown;
}
/**
 * Limits on the work. Zero means no limit.
 *
 * This interface was referenced by `SubAgentSpec`'s JSON-Schema
 * via the `definition` "AgentLimits".
 */
export interface AgentLimits {
  /**
   * Money, in US dollars.
   */
  cost_usd?: number;
  /**
   * Active time, in minutes.
   */
  time_minutes?: number;
  /**
   * Input and output tokens together.
   */
  tokens?: number;
  /**
   * How often agents may be asked.
   */
  interactions?: number;
  [k: string]: unknown;
}
