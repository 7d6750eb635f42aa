import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { findCycle } from '../../contracts/operator/dependency-cycle.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import { amountWords, exhausted } from '../kernel/budget.js';
import { type Decision, refuse } from '../kernel/decider.js';
import type { PlanReport } from '../task/task-messages.js';
import { decideDelta } from './decide-delta.js';
import { bytesOf, TASK_BYTES_MAX } from './event-sizes.js';
import type { LedgerEvent } from './ledger-messages.js';
import type { LiveLedger } from './ledger-state.js';

type Problem = { code: ErrorCode; reason: string };

export function askPlanner({ order, plan, spent }: LiveLedger, atMs: number): Decision<LedgerEvent> {
  if (order.planner === null) return refuse('AGENT_NOT_FOUND', 'nobody is named who plans: say --planner AGENT');
  if (plan.underWay) return { events: [] };
  const limit = exhausted(order.limits, spent);
  if (limit)
    return refuse('LIMIT_TOO_LOW', `${amountWords(limit, spent[limit])} is used already`, { spent: spent[limit] });
  return { events: [{ type: 'PlanningBegun', atMs, number: plan.asked + 1, agent: order.planner }] };
}

/** Judged whole before any of it counts: a plan that contradicts itself or the ledger changes nothing. */
export function takePlan(ledger: LiveLedger, report: PlanReport & { atMs: number }): Decision<LedgerEvent> {
  const { atMs, plan: number, outcome, usage, activeMs } = report;
  if (!ledger.plan.underWay || ledger.plan.asked !== number) {
    return refuse('HANDOFF_LOST', `plan ${number} is not waited for any more`, { plan: number });
  }
  const problem: Problem | null = outcome.status === 'failed' ? outcome : planProblem(ledger, outcome.tasks);
  const taken = { type: 'PlanTaken', atMs, number, usage, activeMs } as const;
  if (problem || outcome.status === 'failed') {
    const { code, reason } = problem ?? { code: 'TASK_FAILED', reason: 'there is no plan' };
    const halted = { type: 'LedgerHalted', atMs, question: ledger.asked + 1, why: 'plan' } as const;
    const events: LedgerEvent[] = [{ ...taken, deltas: [], code, reason }];
    return { events: ledger.tasks.size > 0 ? events : [...events, { ...halted, reason: `${code}: ${reason}` }] };
  }
  const { tasks } = outcome;
  const made = new Set(tasks.map(({ task_id }) => task_id));
  // What only says that a task is to be made, which its assignment does, says nothing new.
  const deltas = outcome.deltas.filter(({ task_id, status }) => !(made.has(task_id) && status === 'todo'));
  const planned: LedgerEvent[] = tasks.length > 0 ? [{ type: 'TasksPlanned', atMs, tasks }] : [];
  return { events: [{ ...taken, deltas, code: null, reason: null }, ...planned] };
}

function planProblem({ tasks: rows }: LiveLedger, tasks: readonly PlanTask[]): Problem | null {
  const inconsistent = (reason: string): Problem => ({ code: 'LEDGER_INCONSISTENT', reason });
  const names = new Set<string>();
  for (const task of tasks) {
    const { task_id } = task;
    if (bytesOf(task) > TASK_BYTES_MAX) {
      return { code: 'PAYLOAD_TOO_LARGE', reason: `${task_id}: more than ${TASK_BYTES_MAX} bytes as JSON` };
    }
    if (names.has(task_id) || rows.has(task_id)) return inconsistent(`${task_id} stands twice`);
    names.add(task_id);
  }
  for (const { task_id, dependencies } of tasks) {
    const unknown = dependencies.find((needed) => !names.has(needed) && !rows.has(needed));
    if (unknown !== undefined) return inconsistent(`${task_id} depends on ${unknown}, which there is not`);
  }
  const cycle = findCycle(tasks);
  return cycle ? inconsistent(`dependencies form a cycle: ${cycle.join(' → ')}`) : null;
}

/** The next delta of the plan, on the ledger as those before have left it. One that is refused changes nothing. */
export function takeNextDelta(ledger: LiveLedger, atMs: number): LedgerEvent[] {
  const [delta] = ledger.plan.deltas;
  if (!delta) return [];
  const decision = decideDelta(ledger, { type: 'TakeDelta', atMs, delta, base: null });
  const settled = { type: 'DeltaSettled', atMs, delta: delta.delta_id } as const;
  if (!('refusal' in decision)) return [...decision.events, { ...settled, code: null, reason: null }];
  const { code, reason } = decision.refusal;
  return [{ ...settled, code, reason }];
}

/** So many times it is asked again by itself. */
const PLANS_MAX = 4;

/** Nothing can be done any more without another plan. */
export function mayReplan(ledger: LiveLedger): boolean {
  const { order, going, halt, plan, active, delayed, counts, version, tasks } = ledger;
  if (order.planner === null || !going || halt || plan.underWay || plan.deltas.length > 0) return false;
  if (plan.asked >= PLANS_MAX || plan.seen === version || exhausted(order.limits, ledger.spent)) return false;
  return active.size === 0 && delayed.size === 0 && (counts.blocked > 0 || tasks.size === 0);
}
