// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: locks held at one moment.
 */
export interface LockTable {
  schema_version?: SchemaVersion;
  run_id?: RunId;
  locks: Lock[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `LockTable`'s JSON-Schema
 * via the `definition` "Lock".
 */
export interface Lock {
  task_id: TaskId;
  resource: Resource;
  active: boolean;
  [k: string]: unknown;
}
