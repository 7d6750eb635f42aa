// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "Status".
 */
export type Status = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "Priority".
 */
export type Priority = 'low' | 'normal' | 'high' | 'critical';
/**
 * When the payload was made.
 *
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: everything a fresh orchestrator needs to go on.
 */
export interface HandoffBundle {
  schema_version: SchemaVersion;
  run_id: RunId;
  objective: string;
  constraints: {
    [k: string]: unknown;
  };
  ledger: LedgerRow[];
  active_locks: Lock[];
  dependencies: {
    task_id: TaskId;
    depends_on_task_id: TaskId;
    [k: string]: unknown;
  }[];
  open_blockers: Blocker[];
  acceptance_targets: {
    task_id: TaskId;
    /**
     * @minItems 1
     */
    criteria: [string, ...string[]];
    [k: string]: unknown;
  }[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "LedgerRow".
 */
export interface LedgerRow {
  task_id: TaskId;
  title: string;
  status: Status;
  owner: string;
  /**
   * @minItems 1
   */
  lock_scope: [Resource, ...Resource[]];
  timeout_seconds: number;
  heartbeat_interval_seconds: number;
  priority: Priority;
  last_heartbeat_at?: string | null;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
 * via the `definition` "Lock".
 */
export interface Lock {
  task_id: TaskId;
  resource: Resource;
  active: boolean;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `HandoffBundle`'s JSON-Schema
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
