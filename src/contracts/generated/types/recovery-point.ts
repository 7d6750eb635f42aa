// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * A place in a job to go back to or to start a new job from. The two shapes in use are one record: its name is in id or in checkpoint_id.
 */
export type RecoveryPoint = {
  [k: string]: unknown;
} & {
  /**
   * Name of the point.
   */
  id?: string;
  /**
   * Name of the point in the older of the two shapes.
   */
  checkpoint_id?: string;
  /**
   * The interaction after which the point was taken.
   */
  sequence: number;
  /**
   * Whether work may go on from here. Absent means yes.
   */
  can_resume_from?: boolean;
  /**
   * What had been reached.
   */
  description?: string;
  /**
   * The phase that is due after going back to this point.
   */
  resume_phase?: string;
  /**
   * Files and folders that going back restores, relative to the workspace root. A folder ends in a slash. Absent means all.
   */
  rollback_files?: string[];
  /**
   * The commit of the workspace at this point.
   */
  commit?: string;
  /**
   * When the point was taken.
   */
  created_at?: string;
  /**
   * Notes about the quality of the work at this point.
   */
  metadata?: {
    /**
     * How sure the agent was, as a word or a number.
     */
    confidence?: string | number;
    /**
     * How many evidence files there were.
     */
    evidence_count?: number;
    /**
     * Share of tests that passed, as text such as 100% or as a number.
     */
    test_pass_rate?: string | number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
};
