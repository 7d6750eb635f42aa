import { BatonError } from '../../contracts/shared/errors.js';
import { type JobOrder, orderProblem, type Phase } from '../../core/job/job-order.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import type { Workflow } from '../projections/job-history.js';
import { limitsOf } from './job-options.js';

/** Stands for every text: no decision depends on one. */
export const NO_TEXT: BodyRef = { sha256: '', bytes: 0 };

/** The order of a job as far as its moves depend on it; undefined when a history does not tell. */
export function orderOf(told: unknown): JobOrder | undefined {
  if (told === undefined) return undefined;
  try {
    const order = fromWorkflow(told as Workflow);
    const problem = orderProblem(order);
    if (problem === undefined) return order;
    throw new Error(problem);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new BatonError('SCHEMA_INVALID', `/x_workflow tells no workflow: ${why}`, { path: '/x_workflow' });
  }
}

function fromWorkflow(workflow: Workflow): JobOrder {
  const { phases, approval, verify, protects, fallback, timeout_seconds, limits } = workflow;
  return {
    title: 'a job',
    prompt: NO_TEXT,
    phases: phases.map(({ name, role, agent, on_retry: onRetry, checked }): Phase => {
      return { name, role, agent, onRetry, instructions: null, checks: checked ? [['check']] : [] };
    }),
    limits: limitsOf(limits),
    handoffTimeoutMs: timeout_seconds * 1_000,
    verify,
    approval,
    repository: null,
    setup: null,
    checks: [],
    protect: protects ? ['**'] : [],
    env: [],
    after: [],
    rank: 0,
    fallback,
    projectFile: null,
    forkedFrom: null,
  };
}
