// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * One run of one stage, as listed in processing_history.
 */
export interface ProcessingRecord {
  /**
   * Stage or agent that ran.
   */
  agent: string;
  /**
   * Place of the run in the order of stages.
   */
  stage_order: number;
  /**
   * When the stage began.
   */
  started_at: string;
  /**
   * When the stage ended; null while it runs.
   */
  completed_at?: string | null;
  /**
   * How long the stage took, in milliseconds.
   */
  duration_ms?: number | null;
  /**
   * How the stage ended, such as success or error.
   */
  status: string;
  /**
   * What went wrong; null when nothing did.
   */
  error?:
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  /**
   * Answers of a model this stage used.
   */
  llm_calls?: number;
  [k: string]: unknown;
}
