import type { HandoffBundle } from '../../contracts/generated/types/handoff-bundle.js';
import type { Plan, PlanTask } from '../../contracts/generated/types/plan.js';
import { handoffBundle } from '../../contracts/operator/handoff-bundle.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { isErrorCode } from '../../contracts/shared/errors.js';
import type { Standing } from '../../core/ledger/ledger-messages.js';
import type { LiveLedger, TaskRow } from '../../core/ledger/ledger-state.js';
import { blockerOf, ledgerObject } from './ledger-object.js';

/** Everything a fresh orchestrator needs; what the contract has no field for stands in fields that begin with x_. */
export function bundleOf(ledger: LiveLedger, heard: ReadonlyMap<string, number>, atMs: number): HandoffBundle {
  const { order } = ledger;
  const rows = [...ledger.tasks.values()];
  const bundle: HandoffBundle = {
    ...{ schema_version: '1.0.0', run_id: order.run, generated_at: new Date(atMs).toISOString() },
    ...{ objective: order.objective, constraints: { ...order.constraints } },
    ledger: rows.map((row) => bundleRow(row, heard.get(row.spec.task_id))),
    active_locks: [...ledgerObject(ledger).active_locks],
    dependencies: rows.flatMap(({ spec }) =>
      spec.dependencies.map((depends_on_task_id) => ({ task_id: spec.task_id, depends_on_task_id })),
    ),
    open_blockers: rows.filter(({ status }) => status === 'blocked').map(blockerOf),
    acceptance_targets: rows.map(({ spec }) => ({ task_id: spec.task_id, criteria: spec.acceptance_criteria })),
    ...{ x_concurrency: order.concurrency, x_context_package: order.context, x_ledger_version: ledger.version },
  };
  return parseContract(handoffBundle, bundle);
}

/** The contract wants a name: what nobody has begun is whoever's it is to give. */
const NOBODY_YET = 'orchestrator';

function bundleRow({ spec, status, owner, attempt, code, reason }: TaskRow, heardMs: number | undefined) {
  const { task_id, title, lock_scope, timeout_seconds, heartbeat_interval_seconds, priority = 'normal' } = spec;
  return {
    ...{ task_id, title, status, lock_scope, timeout_seconds, heartbeat_interval_seconds, priority },
    owner: owner === '' ? NOBODY_YET : owner,
    last_heartbeat_at: heardMs === undefined ? null : new Date(heardMs).toISOString(),
    ...{ x_type: spec.type, x_forbidden_scope: spec.forbidden_scope, x_worklog_path: spec.worklog_path },
    ...{ x_attempt: attempt, x_code: code, x_reason: reason },
    ...(spec.agent !== undefined && { x_agent: spec.agent }),
    ...(spec.context_package && { x_context_package: spec.context_package }),
  };
}

/** The plan and how far it had come. What was at work is begun again: whoever worked on it is not known here. */
export function openingOf(input: unknown): {
  plan: Omit<Plan, 'tasks'> & { tasks: PlanTask[] };
  standings: Standing[];
} {
  const bundle = parseContract(handoffBundle, input);
  const { run_id, objective, constraints, x_concurrency, x_context_package } = bundle;
  const plan = {
    ...{ schema_version: '1.0.0', run_id, global_objective: objective, constraints },
    ...(typeof x_concurrency === 'number' && { concurrency: x_concurrency }),
    ...(Array.isArray(x_context_package) && { context_package: x_context_package as PlanTask['context_package'] }),
    tasks: bundle.ledger.map((row) => taskOf(bundle, row)),
  };
  return { plan: plan as Plan, standings: bundle.ledger.map((row) => standingOf(bundle, row)) };
}

type Row = HandoffBundle['ledger'][number];

function taskOf({ dependencies, acceptance_targets }: HandoffBundle, row: Row): PlanTask {
  const { task_id, title, lock_scope, timeout_seconds, heartbeat_interval_seconds, priority } = row;
  const targets = acceptance_targets.find((target) => target.task_id === task_id)?.criteria;
  return {
    ...{ task_id, title, lock_scope, timeout_seconds, heartbeat_interval_seconds, priority },
    type: row.x_type === 'serial' ? 'serial' : 'parallelizable',
    dependencies: dependencies.filter((one) => one.task_id === task_id).map((one) => one.depends_on_task_id),
    forbidden_scope: textsOf(row.x_forbidden_scope),
    acceptance_criteria: targets ?? [title],
    worklog_path: typeof row.x_worklog_path === 'string' ? row.x_worklog_path : `worklogs/${task_id}.jsonl`,
    ...(typeof row.x_agent === 'string' && { agent: row.x_agent }),
    ...(Array.isArray(row.x_context_package) && { context_package: row.x_context_package }),
  };
}

function standingOf(
  { open_blockers }: HandoffBundle,
  { task_id, status, owner, x_attempt, x_code, x_reason }: Row,
): Standing {
  const blocker = open_blockers.find((one) => one.task_id === task_id);
  const code = blocker?.code ?? x_code;
  const reason = blocker?.reason ?? x_reason;
  return {
    ...(status === 'todo' || status === 'in_progress'
      ? ({ task: task_id, owner: '', status: 'todo' } as const)
      : { task: task_id, owner, status }),
    attempt: typeof x_attempt === 'number' && Number.isSafeInteger(x_attempt) && x_attempt > 0 ? x_attempt : 0,
    code: typeof code === 'string' && isErrorCode(code) ? code : null,
    reason: typeof reason === 'string' ? reason : null,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
