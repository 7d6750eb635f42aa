import type { Assignment } from '../../contracts/generated/types/assignment.js';
import type { OrchestratorOutput } from '../../contracts/generated/types/orchestrator-output.js';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { readObject } from '../../contracts/job/read-object.js';
import { reportedUsage } from '../../contracts/job/reported-usage.js';
import { orchestratorOutput } from '../../contracts/operator/orchestrator-output.js';
import { check } from '../../contracts/shared/contract.js';
import type { PlanOutcome, PlanReading, TaskDeeds } from '../../core/task/task-deeds.js';
import type { EventStore } from '../../engine/ports.js';
import type { Deed } from '../deed.js';

/** Together with what else is told of it, well below what an event holds. */
const PLAN_BYTES_MAX = 40_000;

/** Reads what an orchestrator decides: fail closed, as everywhere. Whether it fits to the ledger, the ledger judges. */
export async function readPlan(
  { options }: Deed,
  store: Pick<EventStore, 'body'>,
  { ledger, answer }: TaskDeeds['plan']['input'],
): Promise<PlanReading> {
  const bytes = await store.body(answer.sha256);
  if (!bytes) throw new Error(`the answer ${answer.sha256} is not in the store`);
  const read = readObject(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  if ('reason' in read) return { outcome: failed('SCHEMA_INVALID', read.reason), reported: null, warnings: [] };
  const { usage, warnings } = reportedUsage(read.value);
  return { outcome: outcomeOf(options.scrub.json(read.value).text, ledger), reported: usage, warnings };
}

function outcomeOf(text: string, ledger: string): PlanOutcome {
  const value: unknown = JSON.parse(text);
  const verdict = check(orchestratorOutput, value);
  if (!verdict.allow) return failed(verdict.code, verdict.reason);
  const { run_id, assignments, ledger_delta } = value as OrchestratorOutput;
  if (run_id !== ledger) return failed('NON_COMPLIANT', `/run_id is ${run_id}, but the request says ${ledger}`);
  const tasks = (assignments as Assignment[]).map(taskOf);
  if (Buffer.byteLength(JSON.stringify([tasks, ledger_delta])) > PLAN_BYTES_MAX) {
    return failed('PAYLOAD_TOO_LARGE', `the plan has more than ${PLAN_BYTES_MAX} bytes; plan in portions`);
  }
  return { status: 'planned', tasks, deltas: ledger_delta };
}

function taskOf({ task, context_package }: Assignment): PlanTask {
  return { ...task, ...(context_package.length > 0 && { context_package }) };
}

function failed(code: Extract<PlanOutcome, { status: 'failed' }>['code'], reason: string): PlanOutcome {
  return { status: 'failed', code, reason: reason.slice(0, 500) };
}
