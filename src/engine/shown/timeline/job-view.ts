import type { Amounts, Check, JobView } from '../../../contracts/api/job-shapes.js';
import type { LiveJob } from '../../../core/job/job-state.js';
import { jobObject } from '../../job/job-object.js';
import type { RunId } from '../../ports.js';
import { wholeMicros } from '../cost-report.js';
import type { JobTimeline } from './job-timeline.js';
import type { Moment } from './moment.js';
import { timeOf } from './relay-row.js';

const POINTS_SHOWN_MAX = 20;
/** So many ticks are told one by one; of more events each stands for several. */
const TICKS_MAX = 300;
const MICRO_PER_USD = 1_000_000;

/** Everything of a job but its attempts and events, as it was at one moment. */
export function jobView(run: RunId, timeline: JobTimeline, moment: Moment): Omit<JobView, 'landing'> {
  const { job, seq } = moment;
  if (job.status === 'NEW') throw new Error('a job is looked at after its first event');
  const points = timeline.points.filter((point) => point.event <= seq);
  return {
    job_id: run,
    ...{ event: seq, events: timeline.head.seq, at: moment.at, author: timeline.author },
    ...standing(run, job),
    order: orderOf(job),
    limits: limitsOf(job),
    spent: spentOf(job),
    began_at: moment.row && (timeline.rows[0]?.asked_at ?? null),
    asked_at: moment.row?.ended_at === null ? moment.row.asked_at : null,
    attempts: (moment.row?.sequence ?? -1) + 1,
    moves: [...moment.moves].map(([move, times]) => ({ ...endsOf(move), times })),
    checks: lastChecks(timeline, moment),
    points: points
      .slice(-POINTS_SHOWN_MAX)
      .map(({ id, description, commit, event, at }) => ({ id, description, commit, event, at })),
    points_taken: points.length,
    waits_since: moment.waitsSinceMs === null ? null : timeOf(moment.waitsSinceMs),
    costs: costsByPhase(timeline, moment),
    ticks: ticksOf(timeline.marks),
  };
}

function standing(run: RunId, job: LiveJob) {
  const { status, current_phase, reason, handoff } = jobObject(run, job, { workspaceOf: () => '' }, null);
  const { stage, workspace, commit } = job;
  return {
    ...{ status, current_phase, reason, handoff, stage: stage.name, why: stage.name === 'resting' ? stage.why : null },
    ...{ branch: workspace?.branch ?? null, base: workspace?.base ?? null, commit },
  };
}

function orderOf({ order }: LiveJob): JobView['order'] {
  const { title, prompt, phases, approval, repository, checks, protect, forkedFrom } = order;
  return {
    ...{ title, prompt, approval, checks, protect, repository: repository?.folder ?? null },
    phases: phases.map(({ name, role, agent }) => ({ name, role, agent })),
    forked_from: forkedFrom && { job: forkedFrom.job, point: forkedFrom.point },
  };
}

/** In the units people know; 0 is none. */
function limitsOf({ order: { limits } }: LiveJob): Amounts {
  const { costMicroUsd = 0, tokens = 0, activeMs = 0, asks = 0 } = limits;
  return { cost_usd: costMicroUsd / MICRO_PER_USD, tokens, seconds: activeMs / 1_000, handoffs: asks };
}

function spentOf({ spent: { costMicroUsd, tokens, activeMs, asks } }: LiveJob): Amounts {
  return { cost_usd: costMicroUsd / MICRO_PER_USD, tokens, seconds: activeMs / 1_000, handoffs: asks };
}

function endsOf(move: string): { from: string; to: string } {
  const [from = '', to = ''] = move.split(' ');
  return { from, to };
}

/** Of the last attempt that was checked. */
function lastChecks(timeline: JobTimeline, moment: Moment): readonly Check[] {
  const { row } = moment;
  if (row === null) return [];
  if (row.checks.length > 0) return row.checks;
  return timeline.rows.slice(0, row.sequence).findLast(({ checks }) => checks.length > 0)?.checks ?? [];
}

function costsByPhase(timeline: JobTimeline, moment: Moment): JobView['costs'] {
  const phases = new Map<string, JobView['costs'][number]>();
  for (const { phase, cost_usd, verdict } of timeline.rowsAt(moment, 0, Number.POSITIVE_INFINITY)) {
    const sum = phases.get(phase) ?? { phase, attempts: 0, cost_usd: 0, lost_usd: 0 };
    sum.attempts += 1;
    sum.cost_usd = wholeMicros(sum.cost_usd + cost_usd);
    if (verdict === 'LOST' || verdict === 'FAILED') sum.lost_usd = wholeMicros(sum.lost_usd + cost_usd);
    phases.set(phase, sum);
  }
  return [...phases.values()];
}

/** One letter for each tick: `x` a failure, `h` a handoff, `.` the rest. `per` is how many events one stands for. */
export function ticksOf(marks: string): JobView['ticks'] {
  const per = Math.max(1, Math.ceil(marks.length / TICKS_MAX));
  if (per === 1) return { per, marks };
  let binned = '';
  for (let first = 0; first < marks.length; first += per) {
    const bin = marks.slice(first, first + per);
    binned += bin.includes('x') ? 'x' : bin.includes('h') ? 'h' : '.';
  }
  return { per, marks: binned };
}
