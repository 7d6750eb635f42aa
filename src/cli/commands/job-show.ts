import type { LiveJob } from '../../core/job/job-state.js';
import type { RunRow } from '../../engine/ports.js';
import { findRun } from '../find-run.js';
import { limitLine, nextStep, statusWords } from '../job/job-view.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;
const POINTS_SHOWN_MAX = 10;

export const runJobShow: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const row = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    const object = await baton.jobs.show(row.run);
    if (parsed.values.json) {
      io.out(`${printableJson(object)}\n`);
      return 0;
    }
    const job = await baton.jobs.state(row.run);
    const { why, next } = nextStep(object, job, row.owner !== null);
    const lines = [
      `${row.run}   ${statusWords(job)}   "${job.order.title}"`,
      next === null ? why : `${why} To go on:`,
      ...(next === null ? [] : [`  ${next}`]),
      '',
      ...detailLines(job, row),
    ];
    io.out(`${lines.map(printable).join('\n')}\n`);
    return 0;
  });

function detailLines(job: LiveJob, { createdAt, version, head }: RunRow): string[] {
  const { workspace, points, order, handoffs } = job;
  const place = workspace?.branch ? ` · branch ${workspace.branch}` : '';
  const limits = (
    [
      ['cost', 'costMicroUsd'],
      ['time', 'activeMs'],
      ['tokens', 'tokens'],
    ] as const
  ).flatMap(([name, dimension]) => {
    const line = limitLine(job, dimension);
    return line === undefined ? [] : [`  ${name.padEnd(8)} ${line}`];
  });
  return [
    `  created  ${createdAt}${place}`,
    ...limits,
    `  handoffs ${handoffs} of ${order.limits.asks ?? 'any number'}`,
    `  phases   ${order.phases.map(({ name, agent }) => `${name} (${agent})`).join(', ')}`,
    ...(points.length > 0 ? [`  points   ${pointsLine(job)}`] : []),
    `  log      ${version} events, head ${head.slice(0, 8)}`,
  ];
}

/** The newest; all of them are in `job history`. */
function pointsLine({ points, pointsTaken }: LiveJob): string {
  const shown = points.slice(-POINTS_SHOWN_MAX).map(({ id, description }) => `${id} ${description}`);
  const more = pointsTaken - shown.length;
  return [...(more > 0 ? [`${more} more`] : []), ...shown].join(', ');
}

export const runJobList: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const filters = (['status', 'agent', 'search', 'after'] as const).map((name) => [name, textOption(parsed, name)]);
    const given = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
    const limit = countOption(parsed, 'limit', { min: 1, max: LIMIT_MAX }) ?? LIMIT_DEFAULT;
    const { items, next } = await baton.store.runs({ ...given, kind: 'job', limit });
    if (parsed.values.json) {
      const objects = await Promise.all(items.map(({ run }) => baton.jobs.show(run)));
      io.out(`${printableJson({ items: objects, next })}\n`);
      return 0;
    }
    for (const { run, status, agent, title } of items) {
      io.out(`${printable(`${run.padEnd(24)} ${status.padEnd(22)} ${(agent ?? '').padEnd(10)} ${title}`)}\n`);
    }
    if (items.length === 0) io.err('No jobs. Begin: baton run "…"\n');
    if (next !== null) io.err(`More: baton job list --after ${next}\n`);
    return 0;
  });
