import type { Assignment } from '../generated/types/assignment.js';
import type { SubagentResult } from '../generated/types/subagent-result.js';
import { validate, validateStrict } from '../generated/validators/subagent-result.js';
import type { Contract } from '../shared/contract.js';
import { refusePath } from '../shared/relative-path.js';
import { isInside, overlaps, resourceOf } from '../shared/resource.js';
import { firstDenial, refuseControl, refuseSecret } from '../shared/untrusted-text.js';
import { type Denial, deny } from '../shared/verdict.js';
import { resourcesNormalise } from './scope-rules.js';

/** Contract 003, "Envelope: Subagent Result". */
export const subagentResult: Contract<SubagentResult> = {
  name: 'subagent-result',
  validate,
  validateStrict,
  versioned: 'required',
  rules: [
    evidenceGiven,
    provenDone,
    ({ worklog_path }) => refusePath(worklog_path, '/worklog_path', 'SCHEMA_INVALID'),
    ({ changes }) => resourcesNormalise(changes, '/changes'),
    ({ notes_for_orchestrator }) => firstDenial(notes_for_orchestrator.flatMap(noteVerdicts)),
  ],
  against: {
    contract: 'assignment',
    check(result, packet) {
      const { run_id, task } = packet as Assignment;
      return firstDenial([
        answers(result, run_id, task),
        everyCriterionProven(result, task.acceptance_criteria),
        ...result.changes.map((change, index) => changeInScope(change.resource, `/changes/${index}/resource`, task)),
      ]);
    },
  },
};

function noteVerdicts(note: string, index: number): (true | Denial)[] {
  const path = `/notes_for_orchestrator/${index}`;
  return [refuseSecret(note, path), refuseControl(note, path)];
}

/** A done without evidence is not a malformed result but an unproven one: `provenDone` names it. */
function evidenceGiven({ status, acceptance_check }: SubagentResult): true | Denial {
  if (status === 'done') return true;
  const index = acceptance_check.findIndex(({ evidence }) => evidence.trim() === '');
  const path = `/acceptance_check/${index}/evidence`;
  return index === -1 || deny('SCHEMA_INVALID', `${path} is blank`, { path });
}

function provenDone({ status, acceptance_check }: SubagentResult): true | Denial {
  if (status !== 'done') return true;
  if (acceptance_check.length === 0) {
    return deny('ACCEPTANCE_FAILED', 'done without any acceptance_check', { path: '/acceptance_check' });
  }
  const index = acceptance_check.findIndex((item) => item.status !== 'pass' || item.evidence.trim() === '');
  const found = acceptance_check[index];
  if (!found) return true;
  const path = `/acceptance_check/${index}`;
  const because = found.status === 'pass' ? 'has no evidence' : 'did not pass';
  return deny('ACCEPTANCE_FAILED', `done, but ${path} ${because}`, { path, criterion: found.criterion });
}

function answers(result: SubagentResult, runId: string, task: Assignment['task']): true | Denial {
  const pairs = [
    ['run_id', result.run_id, runId],
    ['task_id', result.task_id, task.task_id],
    ['worklog_path', result.worklog_path, task.worklog_path],
  ] as const;
  const different = pairs.find(([, given, expected]) => given !== expected);
  if (!different) return true;
  const [field, given, expected] = different;
  return deny('NON_COMPLIANT', `/${field} is ${given}, but the assignment says ${expected}`, {
    path: `/${field}`,
    expected,
  });
}

/** The ASSIGNMENT says what had to pass, not the agent. */
function everyCriterionProven(
  { status, acceptance_check }: SubagentResult,
  criteria: readonly string[],
): true | Denial {
  if (status !== 'done') return true;
  const passed = new Set(acceptance_check.filter((item) => item.status === 'pass').map(({ criterion }) => criterion));
  const missing = criteria.filter((criterion) => !passed.has(criterion));
  return (
    missing.length === 0 ||
    deny('ACCEPTANCE_FAILED', `done, but ${missing.length} of ${criteria.length} criteria are not proven`, {
      path: '/acceptance_check',
      missing,
    })
  );
}

function changeInScope(
  text: string,
  path: string,
  { lock_scope, forbidden_scope, worklog_path }: Assignment['task'],
): true | Denial {
  const resource = resourceOf(text);
  if (resource === resourceOf(worklog_path)) return true;
  if (!lock_scope.some((scope) => isInside(resource, resourceOf(scope)))) {
    return deny('SCOPE_VIOLATION', `${path} ${resource} is outside lock_scope`, { path, resource, lock_scope });
  }
  const forbidden = forbidden_scope.find((scope) => overlaps(resource, resourceOf(scope)));
  return (
    forbidden === undefined ||
    deny('SCOPE_VIOLATION', `${path} ${resource} is inside forbidden_scope ${forbidden}`, { path, resource, forbidden })
  );
}
