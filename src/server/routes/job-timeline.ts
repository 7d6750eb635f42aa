import type { JobView, RelayRow } from '../../contracts/api/job-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { landingOf } from '../../engine/job/landing-service.js';
import type { Baton } from '../../engine/opened-baton.js';
import { manifestIn } from '../../engine/shown/job-manifest-in.js';
import { type JobTimeline, JobTimelines } from '../../engine/shown/timeline/job-timeline.js';
import { jobView } from '../../engine/shown/timeline/job-view.js';
import type { Moment } from '../../engine/shown/timeline/moment.js';
import type { Attempt } from '../../engine/shown/timeline/relay-row.js';
import { countIn } from '../read-query.js';
import { type Asked, type Route, route } from '../route.js';

const JOB = '/api/v1/jobs/:id';
const EVENT = { min: 1, max: Number.MAX_SAFE_INTEGER };
const LIMIT = { min: 1, max: 200 };
const LIMIT_DEFAULT = 50;
const SUMMARY_LENGTH_MAX = 240;
const AT = { at: 'event' };

const timelines = new WeakMap<Baton, JobTimelines>();

type Then = { timeline: JobTimeline; moment: Moment; run: string };

/** The job as it was behind the event that `at` names, or as it is. */
async function then({ baton, params: { id: run = '' }, query }: Asked): Promise<Then> {
  // What is no job is refused by reading it as one; what is need not be read for that.
  if ((await baton.store.run(run))?.kind !== 'job') await baton.jobs.state(run);
  const all = timelines.get(baton) ?? new JobTimelines(baton.store);
  timelines.set(baton, all);
  const timeline = await all.of(run);
  return { run, timeline, moment: await timeline.moment(countIn(query, 'at', EVENT) ?? timeline.head.seq) };
}

export const jobTimelineRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: `${JOB}/view`, verb: 'look', summary: 'A job at any of its events.', query: AT },
    async answer(asked) {
      const { run, timeline, moment } = await then(asked);
      return { ...jobView(run, timeline, moment), landing: await landingNow(asked.baton, run) };
    },
  }),
  route({
    ...{ method: 'GET', path: `${JOB}/relay`, verb: 'look', summary: 'Its attempts, by their number.' },
    query: { ...AT, from: 'attempt', limit: '' },
    async answer(asked) {
      const { timeline, moment } = await then(asked);
      const limit = countIn(asked.query, 'limit', LIMIT) ?? LIMIT_DEFAULT;
      const from = countIn(asked.query, 'from', { ...EVENT, min: 0 }) ?? 0;
      const rows = timeline.rowsAt(moment, from, from + limit);
      const items = await Promise.all(rows.map((row) => shown(asked.baton, row)));
      return { items, next: rows.length === limit ? String(from + limit) : null };
    },
  }),
  route({
    ...{ method: 'GET', path: `${JOB}/diff`, verb: 'look', summary: 'What it changed, as a patch.' },
    query: { ...AT, attempt: 'its own changes alone' },
    async answer(asked) {
      const { baton, params, query } = asked;
      const { id: run = '' } = params;
      const attempt = countIn(query, 'attempt', { ...EVENT, min: 0 });
      if (attempt === undefined && query.at === undefined) return { job_id: run, patch: await baton.diff(run) };
      const { timeline, moment } = await then(asked);
      const commits = attempt === undefined ? wholeAt(moment) : commitsOf(timeline, moment, attempt);
      return { job_id: run, patch: commits === null ? '' : await baton.diff(run, commits) };
    },
  }),
  route({
    ...{ method: 'GET', path: `${JOB}/manifest`, verb: 'look', summary: 'Its manifest.', query: AT },
    async answer(asked) {
      const { run, moment } = await then(asked);
      return manifestIn(asked.baton.store, asked.baton.jobs, run, moment.seq);
    },
  }),
];

/** How bringing it home goes, or went; it is a run of its own, and is told as it is now. */
async function landingNow({ store, landings }: Baton, job: string): Promise<JobView['landing']> {
  const run = landingOf(job);
  if (!(await store.run(run))) return null;
  const landing = await landings.state(run);
  return landing.status === 'new' ? null : { run_id: run, status: landing.status, outcome: landing.outcome };
}

async function shown({ store }: Baton, row: Attempt): Promise<RelayRow> {
  const bytes = row.summary === null ? undefined : await store.body(row.summary.sha256);
  return { ...row, summary_text: bytes ? new TextDecoder().decode(bytes).slice(0, SUMMARY_LENGTH_MAX) : null };
}

type Commits = { from: string; to: string } | null;

function wholeAt({ job }: Moment): Commits {
  if (job.status === 'NEW' || !job.workspace?.base || job.commit === null) return null;
  return { from: job.workspace.base, to: job.commit };
}

function commitsOf(timeline: JobTimeline, moment: Moment, attempt: number): Commits {
  const [row] = timeline.rowsAt(moment, attempt, attempt + 1);
  if (row) return row.commits;
  throw new BatonError('USAGE', `there is no attempt ${attempt}`, { attempt });
}
