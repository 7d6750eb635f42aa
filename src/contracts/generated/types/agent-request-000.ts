// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What Baton sends to an agent when a phase of a job is due: which job and phase, what to do, which files to read first, and the limits that hold.
 */
export interface AgentRequest000 {
  /**
   * The job this work belongs to.
   */
  job_id: string;
  /**
   * The phase of the workflow that is due.
   */
  phase: string;
  /**
   * Files to read first, relative to the root of the job workspace. May be empty.
   */
  context_files: string[];
  /**
   * The standing instructions of the role that is asked.
   */
  system_prompt: string;
  /**
   * The work to do in this phase.
   */
  task_description: string;
  /**
   * Limits and rules for this answer.
   */
  metadata: {
    /**
     * Most the job may cost, in US cents. Zero or absent means no limit.
     */
    cost_threshold?: number;
    /**
     * Most active time the job may take, in minutes. Zero or absent means no limit.
     */
    time_threshold_minutes?: number;
    /**
     * The actions an answer may carry.
     *
     * @minItems 1
     */
    accepted_formats: ['COMPLETED' | 'STUCK' | 'RETRY', ...('COMPLETED' | 'STUCK' | 'RETRY')[]];
    /**
     * Advice gathered since the phase began: summaries of earlier tries, output of failed checks, words of the steward. Oldest first.
     */
    guidance?: string[];
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
