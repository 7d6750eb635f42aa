// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "Status".
 */
export type Status = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: what an orchestrator decides in one step.
 */
export interface OrchestratorOutput {
  schema_version: SchemaVersion;
  run_id: RunId;
  ledger_delta: Delta[];
  /**
   * Items: Assignment packets; each is checked as one.
   */
  assignments: {
    [k: string]: unknown;
  }[];
  active_locks: Lock[];
  blockers: Blocker[];
  next_actions: string[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "Delta".
 */
export interface Delta {
  task_id: TaskId;
  status: Status;
  owner: string;
  reason: string;
  /**
   * Unique within the run; the same id again is a repeat.
   */
  delta_id: string;
  last_heartbeat_at?: string;
  timed_out?: boolean;
  retry_after_ms?: number;
  /**
   * Ledger version the delta was made on; absent means the current one.
   */
  x_base_version?: number;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "Lock".
 */
export interface Lock {
  task_id: TaskId;
  resource: Resource;
  active: boolean;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `OrchestratorOutput`'s JSON-Schema
 * via the `definition` "Blocker".
 */
export interface Blocker {
  task_id: TaskId;
  /**
   * A code of the error catalogue.
   */
  code: string;
  reason: string;
  details?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
