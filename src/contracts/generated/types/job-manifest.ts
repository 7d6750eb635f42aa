// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Complete job state and configuration specification
 */
export interface JobManifest {
  /**
   * Unique job identifier
   */
  job_id: string;
  /**
   * Human-readable job purpose
   */
  description?: string;
  /**
   * Current job execution state
   */
  status:
    | 'DRAFT'
    | 'PENDING'
    | 'RUNNING'
    | 'REVIEWING'
    | 'SUCCESS'
    | 'CANCELED'
    | 'INTERVENTION_REQUIRED'
    | 'HALTED_COST'
    | 'HALTED_TIME';
  /**
   * Active workflow phase identifier
   */
  current_phase?: string | null;
  metrics: {
    /**
     * Total USD cost in cents
     */
    cumulative_cost?: number;
    /**
     * Total execution time in seconds
     */
    cumulative_time_seconds?: number;
    [k: string]: unknown;
  };
  /**
   * Complete audit trail of job interactions
   */
  history?: {
    timestamp?: string;
    role?: string;
    action?: string;
    evidence_files?: string[];
    [k: string]: unknown;
  }[];
  [k: string]: unknown;
}
