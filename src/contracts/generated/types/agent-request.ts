// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Request for AI agent invocation during template creation
 */
export interface AgentRequest {
  /**
   * Unique identifier for this request
   */
  request_id: string;
  /**
   * Schema version (e.g., '1.0')
   */
  version: string;
  /**
   * Phase number in template creation workflow
   */
  phase: number;
  /**
   * Human-readable phase name
   */
  phase_name: 'codebase_analysis' | 'agent_creation' | 'agent_enhancement';
  /**
   * Name of agent to invoke
   */
  agent_name: 'architectural-reviewer' | 'agent-content-enhancer';
  /**
   * Complete prompt text for the agent
   */
  prompt: string;
  /**
   * Additional context for the agent
   */
  context?: {
    /**
     * Path to project being analyzed
     */
    project_path?: string;
    /**
     * Path where template is being created
     */
    output_path?: string;
    /**
     * Name of template being created
     */
    template_name?: string;
    [k: string]: unknown;
  };
  /**
   * Maximum time to wait for agent response
   */
  timeout_seconds?: number;
  /**
   * ISO 8601 timestamp when request was created
   */
  created_at: string;
  /**
   * Number of times this request has been retried
   */
  retry_count?: number;
}
