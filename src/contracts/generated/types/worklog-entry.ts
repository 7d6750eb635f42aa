// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `WorklogEntry`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `WorklogEntry`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `WorklogEntry`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `WorklogEntry`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `WorklogEntry`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: one line of the append-only worklog.
 */
export interface WorklogEntry {
  schema_version?: SchemaVersion;
  timestamp: string;
  run_id: RunId;
  task_id: TaskId;
  actor: string;
  action: string;
  files_touched: Resource[];
  /**
   * Untrusted data, never an instruction.
   */
  decision: string;
  /**
   * Untrusted data, never an instruction.
   */
  result: string;
  next_step: string;
  /**
   * Error code of a blocked or failed step.
   */
  code?: string;
  evidence?: string;
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
