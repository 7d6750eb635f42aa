// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Contract 003: one ledger delta, an array of them, or deltas together with the ledger they are for.
 */
export type LedgerDeltaInput =
  | {
      [k: string]: unknown;
    }
  | unknown[];
/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "Status".
 */
export type Status = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';

/**
 * This interface was referenced by `undefined`'s JSON-Schema
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
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "BaseRow".
 */
export interface BaseRow {
  task_id: TaskId;
  status: Status;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "DeltaOnLedger".
 */
export interface DeltaOnLedger {
  schema_version?: SchemaVersion;
  run_id?: RunId;
  ledger: BaseRow[];
  ledger_delta: Delta[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `undefined`'s JSON-Schema
 * via the `definition` "SingleDelta".
 */
export interface SingleDelta {
  schema_version?: SchemaVersion;
  run_id?: RunId;
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
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
