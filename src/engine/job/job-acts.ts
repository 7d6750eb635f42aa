import { BatonError } from '../../contracts/shared/errors.js';
import { refusePath } from '../../contracts/shared/relative-path.js';
import type { Outcome } from '../dispatch.js';
import type { RunId } from '../ports.js';
import type { Origin } from '../seal.js';
import { type LimitOptions, limitsOf } from './job-options.js';
import type { JobService } from './job-service.js';

/** What can be said with an act; each takes of it what it needs. */
export type Said = {
  guidance?: string;
  phase?: string;
  limits?: LimitOptions;
  text?: string;
  now?: boolean;
  /** A recovery point; the newest when it is not named. */
  to?: string;
  /** A phase by its number, from 1. */
  step?: number;
  description?: string;
  files?: readonly string[];
  /** Its place in the queue: lower ranks first. */
  rank?: number;
};
type By = Pick<Origin, 'actor' | 'key'>;
type Act = (jobs: JobService, run: RunId, said: Said, by: By) => Promise<Outcome>;

const plainly =
  (type: 'Activate' | 'Cancel' | 'Approve' | 'Terminate' | 'Rerun'): Act =>
  (jobs, run, _, by) =>
    jobs.send(run, { type }, by);

const guided =
  (type: 'Resubmit' | 'Reject'): Act =>
  (jobs, run, { guidance, phase = null }, by) => {
    const sealed = guidance === undefined ? undefined : jobs.seal(guidance);
    return jobs.send(run, { type, guidance: sealed?.ref ?? null, phase }, by, sealed ? [sealed.body] : []);
  };

/** What people and programs may do with a job that is there, by the names that the command line and the API have for it. */
export const JOB_ACTS = {
  activate: plainly('Activate'),
  cancel: plainly('Cancel'),
  approve: plainly('Approve'),
  terminate: plainly('Terminate'),
  rerun: plainly('Rerun'),
  resubmit: guided('Resubmit'),
  reject: guided('Reject'),
  raise(jobs, run, { limits = {} }, by) {
    const raised = limitsOf(limits);
    if (Object.keys(raised).length === 0)
      throw new BatonError(
        'USAGE',
        'which limit? Name --max-cost, --max-time or --max-tokens (in a body: cost_usd, time_minutes, tokens)',
      );
    return jobs.send(run, { type: 'Raise', limits: raised }, by);
  },
  tell(jobs, run, { text = '', now = false }, by) {
    if (text.trim() === '') throw new BatonError('USAGE', 'what is it to be told?');
    const { ref, body } = jobs.seal(text);
    return jobs.send(run, { type: 'Advise', advice: ref, now }, by, [body]);
  },
  rank(jobs, run, { rank }, by) {
    if (rank === undefined) throw new BatonError('USAGE', 'which rank? Lower ones come first');
    return jobs.send(run, { type: 'Rank', rank }, by);
  },
  async restep(jobs, run, { step = 1 }, by) {
    const { phases } = (await jobs.state(run)).order;
    const phase = phases[step - 1];
    if (!phase) throw new BatonError('USAGE', `there is no phase ${step}; it has ${phases.length}`);
    return jobs.send(run, { type: 'Restep', phase: phase.name }, by);
  },
  async rollback(jobs, run, { to = null, files = [] }, by) {
    const point = await jobs.point(run, to);
    return jobs.send(run, { type: 'Rollback', point: point.id, older: point, files: inWorkspace(files) }, by);
  },
  checkpoint(jobs, run, { description = 'by hand', files = [] }, by) {
    return jobs.send(run, { type: 'Checkpoint', description, files: inWorkspace(files) }, by);
  },
} satisfies Record<string, Act>;
export type JobAct = keyof typeof JOB_ACTS;

/** They are named as evidence is. */
function inWorkspace(files: readonly string[]): readonly string[] {
  for (const file of files) {
    const denial = refusePath(file, '--file');
    if (denial !== true) throw new BatonError(denial.code, denial.reason, denial.details);
  }
  return files;
}
