import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import type { JobManifest } from '../../contracts/generated/types/job-manifest.js';
import type { LiveJob } from '../../core/job/job-state.js';
import type { JobStatus } from '../../core/job/job-status.js';
import { jobObject, type Places } from '../job/job-object.js';
import type { RunId } from '../ports.js';
import type { EndedAttempt } from './ended-attempt.js';

type Entry = NonNullable<JobManifest['history']>[number];

export function manifestEntry({ askedAtMs, role, action, evidence }: EndedAttempt): Entry {
  return { timestamp: new Date(askedAtMs).toISOString(), role, action, evidence_files: [...evidence] };
}

/** job_manifest.json: where a job stands, what it cost, and in short what each attempt did. */
export function manifestOf(run: RunId, job: LiveJob, history: readonly Entry[], places: Places): JobManifest {
  const { status, current_phase, metrics } = jobObject(run, job, places, null);
  const { cumulative_cost, cumulative_time_seconds } = metrics;
  return {
    job_id: run,
    description: job.order.title,
    status,
    current_phase,
    metrics: { cumulative_cost, cumulative_time_seconds },
    history: [...history],
  };
}

/**
 * latest-outcome.json: what a script or a person wants to know first.
 * `sequence`, `handoff` and `response` are those of the last interaction in jobHistory.json, null before there is one;
 * `reason` says why it rests, `next` is the command that helps it on. Both are null where there is nothing to say.
 */
export type LatestOutcome = {
  job_id: string;
  status: JobStatus;
  reason: string | null;
  sequence: number | null;
  handoff: string | null;
  response: JobInteraction['response'] | null;
  next: string | null;
};

export function outcomeOf(run: RunId, job: LiveJob, last: JobInteraction | undefined, places: Places): LatestOutcome {
  const { status, reason } = jobObject(run, job, places, null);
  const { sequence = null, handoff = null, response = null } = last ?? {};
  return { job_id: run, status, reason, sequence, handoff, response, next: nextCommand(run, job) };
}

const COMMANDS: Readonly<Record<JobStatus, string | null>> = {
  DRAFT: 'activate ID',
  PENDING: 'log ID -f',
  RUNNING: 'log ID -f',
  REVIEWING: 'log ID -f',
  SUCCESS: 'diff ID',
  CANCELED: null,
  INTERVENTION_REQUIRED: 'resubmit ID --guidance "…"',
  HALTED_COST: 'raise ID --max-cost USD --max-tokens N',
  HALTED_TIME: 'raise ID --max-time 45m',
};

function nextCommand(run: RunId, { status, stage, order }: LiveJob): string | null {
  const why = stage.name === 'resting' ? stage.why : null;
  if (why === 'approval' || why === 'protected') return `baton job approve ${run}`;
  // More interactions than its limit are only had by beginning anew.
  if (why === 'limit' && status === 'INTERVENTION_REQUIRED') return `baton job rerun ${run}`;
  if (status === 'SUCCESS' && order.repository) return `baton job land ${run}`;
  const command = COMMANDS[status];
  return command && `baton job ${command.replace('ID', run)}`;
}
