// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Version of this contract, currently 1.0.0. An unknown major is refused.
 *
 * This interface was referenced by `SubagentResult`'s JSON-Schema
 * via the `definition` "SchemaVersion".
 */
export type SchemaVersion = string;
/**
 * UUID v4 of the operator run.
 *
 * This interface was referenced by `SubagentResult`'s JSON-Schema
 * via the `definition` "RunId".
 */
export type RunId = string;
/**
 * T-<number> or a UUID.
 *
 * This interface was referenced by `SubagentResult`'s JSON-Schema
 * via the `definition` "TaskId".
 */
export type TaskId = string;
/**
 * Normalised path-like name inside the workspace; no wildcards.
 *
 * This interface was referenced by `SubagentResult`'s JSON-Schema
 * via the `definition` "Resource".
 */
export type Resource = string;
/**
 * When the payload was made.
 *
 * This interface was referenced by `SubagentResult`'s JSON-Schema
 * via the `definition` "GeneratedAt".
 */
export type GeneratedAt = string;

/**
 * Contract 003: what a sub-agent reports about its task.
 */
export interface SubagentResult {
  schema_version: SchemaVersion;
  run_id: RunId;
  task_id: TaskId;
  status: 'done' | 'blocked' | 'failed';
  changes: {
    resource: Resource;
    action: string;
    evidence?: string;
    [k: string]: unknown;
  }[];
  acceptance_check: {
    criterion: string;
    status: 'pass' | 'fail';
    /**
     * May not be blank; a done without evidence is ACCEPTANCE_FAILED.
     */
    evidence: string;
    [k: string]: unknown;
  }[];
  worklog_path: string;
  /**
   * @maxItems 5
   *
   * Items: Untrusted data; secrets are refused.
   */
  notes_for_orchestrator:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string];
  generated_at?: GeneratedAt;
  [k: string]: unknown;
}
