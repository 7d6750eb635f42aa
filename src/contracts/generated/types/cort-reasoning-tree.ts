// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * The reasoning behind an answer: thoughts, the questions that tested them, the ways not taken, and what was verified on the way.
 */
export interface CoRTReasoningTree {
  /**
   * Name of the tree.
   */
  trace_id: string;
  /**
   * What was asked.
   */
  question: string;
  options: ReasoningOptions;
  /**
   * Whether thinking goes on or how it ended.
   */
  status?: 'running' | 'completed' | 'stopped' | 'failed';
  /**
   * All thoughts, in the order they were had. A thought names its parent.
   */
  thoughts: Thought[];
  /**
   * Verifications made on the way.
   */
  checkpoints: VerificationCheckpoint[];
  /**
   * The state of the tree at chosen moments.
   */
  snapshots: ReasoningSnapshot[];
  result?: ReasoningResult;
  /**
   * When thinking began.
   */
  started_at?: string;
  /**
   * When thinking ended; null while it goes on.
   */
  completed_at?: string | null;
  [k: string]: unknown;
}
/**
 * Bounds for a chain of recursive thoughts. What is left out takes its default.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "ReasoningOptions".
 */
export interface ReasoningOptions {
  /**
   * How deep thoughts may be nested.
   */
  max_depth?: number;
  /**
   * How many thoughts may grow from one.
   */
  max_branches?: number;
  /**
   * Time for the whole tree, in seconds. Absent means no limit of its own.
   */
  time_limit?: number;
  /**
   * Depths at which the thoughts so far are verified.
   */
  verification_checkpoints?: number[];
  /**
   * How often a thought is questioned and improved.
   */
  rounds?: number;
  /**
   * Thinking stops when a thought is surer than this.
   */
  stop_confidence?: number;
  [k: string]: unknown;
}
/**
 * One thought.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "Thought".
 */
export interface Thought {
  /**
   * Name of the thought within the tree.
   */
  id: string;
  /**
   * The thought it grew from; null for a root.
   */
  parent_id: string | null;
  /**
   * Distance from the root.
   */
  depth: number;
  /**
   * Round of questioning it came from.
   */
  round?: number;
  /**
   * The thought in words.
   */
  content: string;
  /**
   * How sure the thought is.
   */
  confidence: number;
  /**
   * Questions that tested it.
   */
  critical_questions?: CriticalQuestion[];
  /**
   * Other ways that were weighed.
   */
  alternatives?: Alternative[];
  /**
   * When it was recorded.
   */
  created_at?: string;
  [k: string]: unknown;
}
/**
 * A question that tests a thought.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "CriticalQuestion".
 */
export interface CriticalQuestion {
  /**
   * Name of the question.
   */
  id?: string;
  /**
   * The question.
   */
  question: string;
  /**
   * The answer; null while there is none.
   */
  answer?: string | null;
  /**
   * How sure the answer is.
   */
  confidence?: number;
  [k: string]: unknown;
}
/**
 * Another way that was weighed against a thought.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "Alternative".
 */
export interface Alternative {
  /**
   * Name of the alternative.
   */
  id?: string;
  /**
   * The alternative in words.
   */
  content: string;
  /**
   * How promising it is.
   */
  confidence?: number;
  /**
   * Whether it replaced the thought.
   */
  chosen?: boolean;
  /**
   * Why it was taken or left.
   */
  reason?: string;
  [k: string]: unknown;
}
/**
 * A verification of the thoughts so far.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "VerificationCheckpoint".
 */
export interface VerificationCheckpoint {
  /**
   * Name of the checkpoint.
   */
  id?: string;
  /**
   * The thought that was verified.
   */
  thought_id?: string;
  /**
   * Depth at which it was made.
   */
  depth: number;
  report: CheckpointReport;
  [k: string]: unknown;
}
/**
 * Whether a task may start or a result may stand, and why. Stages run in a fixed order and stop at the first that fails.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "CheckpointReport".
 */
export interface CheckpointReport {
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
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
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
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
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
/**
 * The state of the tree at one moment.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "ReasoningSnapshot".
 */
export interface ReasoningSnapshot {
  /**
   * Name of the snapshot.
   */
  id: string;
  /**
   * When it was taken.
   */
  taken_at?: string;
  /**
   * The thoughts there were.
   */
  thought_ids: string[];
  /**
   * The thought that led at that moment.
   */
  best_thought_id?: string;
  /**
   * Confidence of the best thought.
   */
  confidence: number;
  [k: string]: unknown;
}
/**
 * The answer the tree came to.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "ReasoningResult".
 */
export interface ReasoningResult {
  /**
   * The answer in words.
   */
  answer: string;
  /**
   * The thought it rests on.
   */
  thought_id?: string;
  cort_context: CoRTContext;
  [k: string]: unknown;
}
/**
 * Ties a message or result to the reasoning behind it.
 *
 * This interface was referenced by `CoRTReasoningTree`'s JSON-Schema
 * via the `definition` "CoRTContext".
 */
export interface CoRTContext {
  /**
   * The reasoning tree.
   */
  trace_id: string;
  /**
   * How sure the reasoning is of its result.
   */
  confidence: number;
  [k: string]: unknown;
}
