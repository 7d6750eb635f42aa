// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Everything that was asked and answered in one job. The full form is an object; a bare list of interactions is read too.
 */
export type JobHistory =
  | {
      /**
       * Version of this file format. An unknown major version is refused.
       */
      schema_version?: string;
      /**
       * The job whose history this is.
       */
      job_id: string;
      /**
       * When the job was created.
       */
      created_at: string;
      /**
       * The attempts, in order.
       */
      interactions: JobInteraction[];
      /**
       * Places to go back to, in order.
       */
      recovery_points?: JobRecoveryPoint[];
      [k: string]: unknown;
    }
  | JobInteraction[];
/**
 * A place in the job to go back to. Its name is in id or in checkpoint_id.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "JobRecoveryPoint".
 */
export type JobRecoveryPoint = JobRecoveryPoint1 & {
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
export type JobRecoveryPoint1 = {
  [k: string]: unknown;
};

/**
 * One attempt of one handoff: what was asked and what came back.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "JobInteraction".
 */
export interface JobInteraction {
  /**
   * Counts the interactions of a job without gaps. Baton starts at zero.
   */
  sequence: number;
  /**
   * When the agent was asked.
   */
  timestamp: string;
  /**
   * Status of the job when this handoff became due.
   */
  state_before:
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
   * Folder the agent worked in.
   */
  workspace_path?: string;
  /**
   * The handoff this attempt belongs to, as run/key.
   */
  handoff?: string;
  /**
   * Which try of the handoff this was, from one.
   */
  attempt?: number;
  request: JobRequestRecord;
  response: JobResponseRecord;
  [k: string]: unknown;
}
/**
 * What was sent to the agent.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "JobRequestRecord".
 */
export interface JobRequestRecord {
  /**
   * The prompt as it was sent, secrets scrubbed.
   */
  prompt: string;
  /**
   * Files given as context, relative to the workspace root.
   */
  files_context: string[];
  /**
   * How the agent was run.
   */
  metadata: {
    /**
     * Role that was asked, such as Worker or Supervisor.
     */
    role?: string;
    /**
     * Phase that was due.
     */
    phase?: string;
    /**
     * Agent that was asked.
     */
    agent?: string;
    /**
     * Model that answered.
     */
    model?: string;
    /**
     * Sampling temperature, where one was set.
     */
    temperature?: number;
    /**
     * Upper bound for the answer, where one was set.
     */
    max_tokens?: number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * What came back, or what Baton made of the silence.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "JobResponseRecord".
 */
export interface JobResponseRecord {
  /**
   * SUCCESS when a valid answer came, TIMEOUT when time ran out, else ERROR.
   */
  status: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  /**
   * The action that was taken: the agent's own, or the one the escalation matrix chose.
   */
  action: 'COMPLETED' | 'STUCK' | 'RETRY';
  /**
   * Files the agent named as evidence, relative to the workspace root.
   */
  evidence_files: string[];
  /**
   * The agent's summary for whoever works next.
   */
  summary_for_supervisor?: string;
  /**
   * The answer as text, byte for byte apart from scrubbed secrets.
   */
  raw_response: string;
  /**
   * How long the attempt took.
   */
  execution_time_seconds: number;
  /**
   * What the attempt cost, in US dollars.
   */
  cost_usd: number;
  /**
   * Status of the job after this attempt.
   */
  new_status?:
    | 'DRAFT'
    | 'PENDING'
    | 'RUNNING'
    | 'REVIEWING'
    | 'SUCCESS'
    | 'CANCELED'
    | 'INTERVENTION_REQUIRED'
    | 'HALTED_COST'
    | 'HALTED_TIME';
  [k: string]: unknown;
}
