// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Whether a task may start or a result may stand, and why. Stages run in a fixed order and stop at the first that fails.
 */
export interface VerificationReport {
  /**
   * Name of this report.
   */
  id: string;
  /**
   * task: checked before the work. result: checked after it.
   */
  kind: 'task' | 'result';
  /**
   * What was checked, such as a run and its handoff.
   */
  subject: string;
  /**
   * The stages that ran, in order: universal, domain, component, standards, human.
   */
  stages: VerificationStage[];
  /**
   * Whether every stage that ran was satisfied.
   */
  valid: boolean;
  /**
   * All issues of all stages.
   */
  issues: VerificationIssue[];
  /**
   * The lowest confidence of the stages.
   */
  confidence: number;
  /**
   * Whether a person must look at it.
   */
  human_review_required: boolean;
  [k: string]: unknown;
}
/**
 * The outcome of one stage.
 *
 * This interface was referenced by `VerificationReport`'s JSON-Schema
 * via the `definition` "VerificationStage".
 */
export interface VerificationStage {
  /**
   * Which stage this is.
   */
  stage: 'universal' | 'domain' | 'component' | 'standards' | 'human';
  /**
   * What exactly was run, such as the command of a check.
   */
  name?: string;
  /**
   * Whether the stage found nothing wrong.
   */
  valid: boolean;
  /**
   * How sure the stage is.
   */
  confidence: number;
  /**
   * What the stage found.
   */
  issues?: VerificationIssue[];
  /**
   * How long the stage took, in milliseconds.
   */
  duration_ms?: number;
  [k: string]: unknown;
}
/**
 * One thing that is wrong or doubtful.
 *
 * This interface was referenced by `VerificationReport`'s JSON-Schema
 * via the `definition` "VerificationIssue".
 */
export interface VerificationIssue {
  /**
   * Kind of issue.
   */
  type: string;
  /**
   * The issue in words.
   */
  message: string;
  /**
   * How much it matters.
   */
  severity: 'info' | 'warning' | 'error' | 'critical';
  [k: string]: unknown;
}
