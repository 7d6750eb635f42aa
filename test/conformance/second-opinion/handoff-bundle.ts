/** Contract 003, "Artifact: Fresh-Context Handoff Bundle". */

import { blocker, generated, priority, required, resource, status, taskId } from './common-shapes.js';
import { type Lock, lock, locksApart, locksNormal, scopeApart } from './locks.js';
import { codesKnown } from './orchestrator-output.js';
import { normal } from './paths.js';
import {
  anyObject,
  type Finding,
  first,
  firstAmong,
  listOf,
  momentOrNull,
  optional,
  record,
  text,
  whole,
} from './shapes.js';

type Bundle = { ledger: { lock_scope: string[] }[]; active_locks: Lock[]; open_blockers: { code: string }[] };

const row = record({
  task_id: taskId,
  title: text(500),
  status,
  owner: text(),
  lock_scope: listOf(resource, { least: 1 }),
  timeout_seconds: whole(30),
  heartbeat_interval_seconds: whole(5),
  priority,
  last_heartbeat_at: optional(momentOrNull),
});

export const handoffBundleShape = record({
  ...required,
  objective: text(5000),
  constraints: anyObject,
  ledger: listOf(row),
  active_locks: listOf(lock),
  dependencies: listOf(record({ task_id: taskId, depends_on_task_id: taskId })),
  open_blockers: listOf(blocker),
  acceptance_targets: listOf(record({ task_id: taskId, criteria: listOf(text(), { least: 1 }) })),
  ...generated,
});

export function handoffBundleOpinion(value: unknown, codes: ReadonlySet<string>): Finding {
  const bundle = value as Bundle;
  return first(
    () => firstAmong(bundle.ledger, ({ lock_scope }) => normal(lock_scope)),
    () => locksNormal(bundle.active_locks),
    () => codesKnown(bundle.open_blockers, codes),
    () => locksApart(bundle.active_locks),
    () => firstAmong(bundle.ledger, ({ lock_scope }) => scopeApart(lock_scope)),
  );
}
