/** Contract 003, "Envelope: Subagent Result", alone and against the assignment it answers. */

import type { Packet } from './assignment.js';
import { generated, required, resource, taskId } from './common-shapes.js';
import { isHarmlessFile, isWithin, knownPath, normal, pathOf } from './paths.js';
import { anyText, type Finding, first, firstAmong, listOf, oneOf, optional, record, text, unless } from './shapes.js';
import { noOrders, noSecrets } from './untrusted.js';

type Check = { criterion: string; status: string; evidence: string };
export type Result = {
  run_id: string;
  task_id: string;
  status: string;
  changes: { resource: string }[];
  acceptance_check: Check[];
  worklog_path: string;
  notes_for_orchestrator: string[];
};

export const subagentResultShape = record({
  ...required,
  task_id: taskId,
  status: oneOf('done', 'blocked', 'failed'),
  changes: listOf(record({ resource, action: text(), evidence: optional(anyText) })),
  acceptance_check: listOf(record({ criterion: text(), status: oneOf('pass', 'fail'), evidence: anyText })),
  worklog_path: text(1000),
  notes_for_orchestrator: listOf(text(), { most: 5 }),
  ...generated,
});

export function subagentResultOpinion(value: unknown): Finding {
  const result = value as Result;
  return first(
    () => (result.status === 'done' ? proven(result.acceptance_check) : evidenceGiven(result.acceptance_check)),
    () => unless(isHarmlessFile(result.worklog_path), 'SCHEMA_INVALID'),
    () => normal(result.changes.map((change) => change.resource)),
    () =>
      firstAmong(result.notes_for_orchestrator, (note) =>
        first(
          () => noSecrets([note]),
          () => noOrders([note]),
        ),
      ),
  );
}

const isProven = (check: Check): boolean => check.status === 'pass' && check.evidence.trim() !== '';

function proven(checks: readonly Check[]): Finding {
  return unless(checks.length > 0 && checks.every(isProven), 'ACCEPTANCE_FAILED');
}

function evidenceGiven(checks: readonly Check[]): Finding {
  return unless(
    checks.every((check) => check.evidence.trim() !== ''),
    'SCHEMA_INVALID',
  );
}

/** Both are valid by themselves. The worklog is exempt from the scope (SPEC 6, "Worklog"). */
export function againstAssignment(result: Result, { run_id, task }: Packet): Finding {
  const same = result.run_id === run_id && result.task_id === task.task_id && result.worklog_path === task.worklog_path;
  const worklog = pathOf(task.worklog_path)?.join('/');
  const scopes = task.lock_scope.map(knownPath);
  const criterionProven = (criterion: string): boolean =>
    result.acceptance_check.some((check) => check.criterion === criterion && isProven(check));
  const inScope = (text: string): boolean =>
    knownPath(text).join('/') === worklog || scopes.some((scope) => isWithin(knownPath(text), scope));
  return first(
    () => unless(same, 'NON_COMPLIANT'),
    () => unless(result.status !== 'done' || task.acceptance_criteria.every(criterionProven), 'ACCEPTANCE_FAILED'),
    () =>
      unless(
        result.changes.every((change) => inScope(change.resource)),
        'SCOPE_VIOLATION',
      ),
  );
}
