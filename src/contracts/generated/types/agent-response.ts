// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Structured response format for all agent interactions
 */
export interface AgentResponse {
  /**
   * Workflow control signal determining next Logist action
   */
  action: 'COMPLETED' | 'STUCK' | 'RETRY';
  /**
   * Files created, modified, or analyzed during execution
   *
   * @minItems 0
   *
   * Items: Relative path from job workspace root
   */
  evidence_files: string[];
  /**
   * Concise status update for subsequent agents (2-3 sentences)
   */
  summary_for_supervisor: string;
  [k: string]: unknown;
}
