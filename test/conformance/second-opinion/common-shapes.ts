/** Contract 003, "Common Fields" and "Identifier Rules", and what several payloads share. */

import { anyObject, flag, matching, moment, oneOf, optional, record, type Shape, text, whole } from './shapes.js';

const isVersion = matching(/^1\.[0-9]+\.[0-9]+$/);

/** A text of another major is a version we do not know; anything else that is not 1.y.z is malformed. */
const version: Shape = {
  problem(value) {
    if (typeof value !== 'string' || value.trim() === '') return 'SCHEMA_INVALID';
    const [major] = value.split('.');
    return major === '1' ? isVersion.problem(value) : 'UNKNOWN_SCHEMA_VERSION';
  },
  hasUnknown: () => false,
};

export const runId = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i);
export const taskId = matching(/^(T-[0-9]+|[0-9a-fA-F-]{36})$/);
export const resource = text();
export const priority = oneOf('low', 'normal', 'high', 'critical');
export const status = oneOf('todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled');
export const errorCode = matching(/^[A-Z][A-Z0-9_]*$/);

/** Where every payload begins, and where it may end. */
export const required = { schema_version: version, run_id: runId };
export const known = { schema_version: optional(version), run_id: optional(runId) };
export const generated = { generated_at: optional(moment) };

export const blocker = record({ task_id: taskId, code: errorCode, reason: text(), details: optional(anyObject) });

export const deltaFields = {
  task_id: taskId,
  status,
  owner: text(),
  reason: text(),
  delta_id: text(),
  last_heartbeat_at: optional(moment),
  timed_out: optional(flag),
  retry_after_ms: optional(whole(0)),
  x_base_version: optional(whole(0)),
};
