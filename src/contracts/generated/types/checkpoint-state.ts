// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Checkpoint state for template creation workflow
 */
export interface CheckpointState {
  /**
   * Schema version
   */
  version: string;
  /**
   * Current phase number
   */
  phase: number;
  /**
   * Human-readable phase name
   */
  phase_name: string;
  /**
   * Specific checkpoint within phase (e.g., 'before_agent_invocation')
   */
  checkpoint_name: string;
  /**
   * When checkpoint was created
   */
  created_at: string;
  /**
   * Path to template output directory
   */
  output_path: string;
  /**
   * Path to source project
   */
  project_path?: string;
  /**
   * Name of template being created
   */
  template_name?: string;
  /**
   * Phase-specific serialized data
   */
  phase_data?: {
    [k: string]: unknown;
  };
  /**
   * List of successfully completed phases
   */
  completed_phases?: {
    phase?: number;
    phase_name?: string;
    completed_at?: string;
    result_summary?: string;
    [k: string]: unknown;
  }[];
  /**
   * History of agent requests made
   */
  agent_requests?: {
    request_id?: string;
    agent_name?: string;
    phase?: number;
    status?: string;
    [k: string]: unknown;
  }[];
}
