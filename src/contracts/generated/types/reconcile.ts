// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "Status".
 */
export type Status = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: a ledger with its locks and events, to be checked for contradictions.
 */
export interface ReconcileInput {
  schema_version?: SchemaVersion;
  run_id?: RunId;
  ledger: ReconcileRow[];
  active_locks: Lock[];
  events: {
    task_id?: TaskId;
    status?: Status;
    [k: string]: unknown;
  }[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "ReconcileRow".
 */
export interface ReconcileRow {
  task_id: TaskId;
  status: Status;
  /**
   * May be empty while nobody owns the task.
   */
  owner: string;
  dependencies: TaskId[];
  [k: string]: unknown;
}
/**
 * This interface was referenced by `ReconcileInput`'s JSON-Schema
 * via the `definition` "Lock".
 */
export interface Lock {
  task_id: TaskId;
  resource: Resource;
  active: boolean;
  [k: string]: unknown;
}
