// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * The stages an envelope passes through and the rules that lead from one to the next.
 */
export interface Pipeline {
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Name the pipeline is chosen by.
   */
  name: string;
  /**
   * How often in a row the critic may send the work back before the envelope ends. Absent means no limit.
   */
  max_critic_fires?: number;
  /**
   * The stages; the first is where a new envelope starts. Every stage must be reached from there, or by after, and must be able to lead to end.
   *
   * @minItems 1
   */
  stages: [PipelineStage, ...PipelineStage[]];
  [k: string]: unknown;
}
/**
 * One stage: who answers, where the output goes and what is due next.
 *
 * This interface was referenced by `Pipeline`'s JSON-Schema
 * via the `definition` "PipelineStage".
 */
export interface PipelineStage {
  /**
   * Name of the stage. The words start, end, clarification and confirmation have their own meaning and cannot be used.
   */
  name: string;
  /**
   * Key under outputs that this stage writes. No other stage writes it.
   */
  output_key: string;
  /**
   * Agent that answers this stage. A stage has an agent or tools, never both; with neither the agent given on the command line answers.
   */
  agent?: string;
  /**
   * Tools this stage may run for the steps of the plan.
   *
   * @minItems 1
   */
  tools?: [string, ...string[]];
  /**
   * Fields the output must have.
   */
  required?: string[];
  /**
   * Places in files that the output cites are looked up wherever tools look. Absent means only where a folder was named for the envelope.
   */
  verify?: 'strict';
  /**
   * Tried in order; the first that matches decides what is due next.
   */
  rules?: PipelineRule[];
  /**
   * What is due when no rule matches: a stage, end, clarification or confirmation.
   */
  default_next: string;
  /**
   * What is due when the stage fails. Absent means the envelope ends.
   */
  error_next?: string;
  /**
   * Output keys that must be there before this stage may start. Each is written by another stage.
   */
  requires?: string[];
  /**
   * Stages that must have run before this one; it begins then without being a target. [] begins with the first stage. Absent means that it begins when something leads to it.
   */
  after?: string[];
  /**
   * Whether all stages in after must have run, or one is enough.
   */
  join?: 'all' | 'any';
  [k: string]: unknown;
}
/**
 * Leads to a stage when a field of the output has a given value.
 *
 * This interface was referenced by `Pipeline`'s JSON-Schema
 * via the `definition` "PipelineRule".
 */
export interface PipelineRule {
  /**
   * Field of the stage output; dots lead into objects.
   */
  field: string;
  /**
   * The value the field must have.
   */
  equals: string | number | boolean | null;
  /**
   * What is due then: a stage, end, clarification or confirmation.
   */
  to: string;
  [k: string]: unknown;
}
