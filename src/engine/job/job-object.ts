import type { JobObject } from '../../contracts/api/job-shapes.js';
import type { Workspace } from '../../core/job/job-deeds.js';
import type { Rest } from '../../core/job/job-messages.js';
import { dueHandoff, type LiveJob } from '../../core/job/job-state.js';

const MICRO_PER_CENT = 10_000;
const MICRO_PER_USD = 1_000_000;

/** Where a job's workspace is, or will be. */
export type Places = { workspaceOf(run: string): string };

export function jobObject(run: string, job: LiveJob, places: Places, item: number | null): JobObject {
  const { status, phase, spent, handoffs, stage } = job;
  const workspace: Workspace | null = job.workspace;
  return {
    job_id: run,
    run_id: run,
    status,
    current_phase: stage.name === 'ended' || stage.name === 'draft' ? null : phase,
    reason: stage.name === 'resting' ? reasonOf(stage.why, job) : null,
    handoff: dueHandoff(job)?.key ?? null,
    workspace: workspace?.folder ?? places.workspaceOf(run),
    branch: workspace?.branch ?? (job.order.repository ? `baton/${run}` : null),
    metrics: {
      cumulative_cost: spent.costMicroUsd / MICRO_PER_CENT,
      cumulative_time_seconds: spent.activeMs / 1_000,
      cost_usd: spent.costMicroUsd / MICRO_PER_USD,
      tokens: spent.tokens,
      handoffs,
    },
    waiting_for: item,
  };
}

const REASONS: Readonly<Record<Rest, (job: LiveJob) => string>> = {
  stuck: () => 'the agent answered STUCK',
  approval: () => 'approval',
  limit: ({ status }) => (status === 'INTERVENTION_REQUIRED' ? 'limit: all interactions are used' : 'limit'),
  tries: ({ phase }) => `${phase} was sent back three times in a row`,
  provider: () => 'the provider of the agent asks for a long wait',
  workspace: () => 'the workspace cannot be used',
  protected: () => 'protected files were changed',
  schema: () => 'the answer was not one JSON object of the agreed form',
  action: () => 'the answer named no action there is',
  summary: () => 'the answer had no summary',
  path: () => 'the answer named a file outside the workspace',
  evidence: () => 'evidence files do not exist',
  network: () => 'the agent could not be reached',
  login: () => 'the agent is not logged in',
  auth: () => 'the login of the agent does not work',
  'not-found': () => 'the agent was not found',
  'disk-full': () => 'the disk is full',
  timeout: () => 'the agent did not answer in time',
  crash: () => 'the agent crashed',
  refused: () => 'the agent refused the request',
};

/** Whose reason alone does not say what to repair. */
const WITH_TROUBLE: ReadonlySet<Rest> = new Set<Rest>([
  ...(['workspace', 'not-found', 'disk-full', 'crash', 'network', 'auth', 'refused'] as const),
  ...(['schema', 'action', 'summary', 'path'] as const),
]);
const TROUBLE_LENGTH_MAX = 500;

export function reasonOf(why: Rest, job: LiveJob): string {
  const reason = REASONS[why](job);
  const trouble = WITH_TROUBLE.has(why) ? job.trouble?.trim().slice(0, TROUBLE_LENGTH_MAX).replace(/\.$/, '') : '';
  return trouble ? `${reason}: ${trouble}` : reason;
}
