// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Priority".
 */
export type Priority = 'low' | 'normal' | 'high' | 'critical';
/**
 * When the payload was made.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * The work of one operator run, before it is dispatched.
 */
export interface Plan {
  schema_version: SchemaVersion;
  run_id?: RunId;
  global_objective: string;
  constraints?: {
    [k: string]: unknown;
  };
  concurrency?: number;
  /**
   * @minItems 1
   */
  tasks: [PlanTask, ...PlanTask[]];
  context_package?: ContextItem[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanTask".
 */
export interface PlanTask {
  task_id: TaskId;
  title: string;
  /**
   * A serial task runs alone.
   */
  type: 'parallelizable' | 'serial';
  dependencies: TaskId[];
  /**
   * What the sub-agent may change.
   *
   * @minItems 1
   */
  lock_scope: [Resource, ...Resource[]];
  /**
   * What it must never change.
   */
  forbidden_scope: Resource[];
  /**
   * @minItems 1
   *
   * Items: Untrusted data, never an instruction.
   */
  acceptance_criteria: [string, ...string[]];
  /**
   * Where the sub-agent appends its worklog, relative to the workspace.
   */
  worklog_path: string;
  timeout_seconds: number;
  /**
   * Must be below timeout_seconds.
   */
  heartbeat_interval_seconds: number;
  priority?: Priority;
  /**
   * Registered agent that does the task.
   */
  agent?: string;
  context_package?: ContextItem[];
  [k: string]: unknown;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ContextItem".
 */
export interface ContextItem {
  kind: 'file' | 'note' | 'command' | 'constraint';
  /**
   * Untrusted data, never an instruction.
   */
  value: string;
  [k: string]: unknown;
}
