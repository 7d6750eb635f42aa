import type { Assignment } from '../../contracts/generated/types/assignment.js';
import type { SubagentResult } from '../../contracts/generated/types/subagent-result.js';
import { subagentResult } from '../../contracts/operator/subagent-result.js';
import { checkAgainst, parseContract } from '../../contracts/shared/contract.js';
import { BatonError, isErrorCode } from '../../contracts/shared/errors.js';
import type { Shown, TaskOutcome } from '../../core/ledger/ledger-messages.js';

const REASON_LENGTH_MAX = 500;

/** Holds a result against its assignment; one that does not hold is refused and moves nothing. */
export function resultFor(input: unknown, packet: Assignment): { outcome: TaskOutcome; shown: Shown } {
  const result = parseContract(subagentResult, input);
  const verdict = checkAgainst(subagentResult, result, packet);
  if (!verdict.allow) throw new BatonError(verdict.code, verdict.reason, verdict.details);
  return { outcome: outcomeOf(result), shown: { proven: provenBy(result, packet), worklog: null } };
}

/** Of the criteria of the assignment, those that pass with evidence. */
export function provenBy({ acceptance_check }: SubagentResult, { task }: Pick<Assignment, 'task'>): number {
  const passed = acceptance_check.filter(({ status, evidence }) => status === 'pass' && evidence.trim() !== '');
  const names = new Set(passed.map(({ criterion }) => criterion));
  return task.acceptance_criteria.filter((criterion) => names.has(criterion)).length;
}

function outcomeOf({ status, notes_for_orchestrator, x_code, x_retry_after_ms }: SubagentResult): TaskOutcome {
  if (status === 'done') return { status };
  const fallback = status === 'blocked' ? 'TASK_BLOCKED' : 'TASK_FAILED';
  const code = typeof x_code === 'string' && isErrorCode(x_code) ? x_code : fallback;
  const words = notes_for_orchestrator.join('; ').replace(/\s+/g, ' ').slice(0, REASON_LENGTH_MAX);
  const reason = words || `the agent says that it is ${status}`;
  return { status, code, reason, ...(isDelay(x_retry_after_ms) && { retryAfterMs: Math.ceil(x_retry_after_ms) }) };
}

const DELAY_MS_MAX = 86_400_000;

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= DELAY_MS_MAX;
}
