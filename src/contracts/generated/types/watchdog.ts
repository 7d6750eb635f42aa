// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "Status".
 */
export type Status = 'todo' | 'in_progress' | 'blocked' | 'done' | 'failed' | 'canceled';
/**
 * When the payload was made.
 *
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: heartbeats of tasks at one moment.
 */
export interface WatchdogInput {
  schema_version?: SchemaVersion;
  run_id?: RunId;
  now: string;
  tasks: WatchedTask[];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `WatchdogInput`'s JSON-Schema
 * via the `definition` "WatchedTask".
 */
export interface WatchedTask {
  task_id: TaskId;
  status: Status;
  timeout_seconds: number;
  /**
   * Null only while the task is not in progress.
   */
  last_heartbeat_at: string | null;
  [k: string]: unknown;
}
