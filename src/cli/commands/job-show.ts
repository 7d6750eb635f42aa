import { overlaps } from '../../contracts/shared/resource.js';
import { agentOf } from '../../core/job/job-effects.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import type { Desk } from '../../engine/desk.js';
import type { RunRow } from '../../engine/ports.js';
import { age } from '../age.js';
import { findRun } from '../find-run.js';
import { attemptLines } from '../job/attempt-table.js';
import { isDriven } from '../job/goes-on-with.js';
import { limitLine, nextStep, sourceOf, statusWords } from '../job/job-view.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const HASH_SHOWN = 7;
/** Some ten attempts. */
const EVENTS_LOOKED_AT = 80;
const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;

export const runJobShow: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const row = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const object = await desk.jobs.show(row.run);
    if (parsed.values.json) {
      io.out(`${printableJson(object)}\n`);
      return 0;
    }
    const job = await desk.jobs.state(row.run);
    const { why, next } = nextStep(object, job, await isDriven(desk.store, row));
    const held = await heldUp(desk, row.run, job);
    const [first] = await desk.store.events(row.run, 0, 1);
    const recent = await desk.store.events(row.run, Math.max(0, row.version - EVENTS_LOOKED_AT), EVENTS_LOOKED_AT);
    const events = recent.map(({ type, data }) => ({ ...JSON.parse(data), type }) as JobEvent);
    const lines = [
      `${row.run}   ${statusWords(job)}   "${job.order.title}"`,
      next === null ? why : `${why} To go on:`,
      ...(next === null ? [] : [`  ${next}`]),
      ...held.map((line) => `  ${line}`),
      '',
      `  created  ${age(row.createdAt, desk.clock.nowMs())} ago by ${first?.actor ?? '?'}${placeOf(job)}`,
      ...limitLines(job),
      ...attemptLines(events),
      '',
      ...restLines(job, row),
    ];
    io.out(`${lines.map(printable).join('\n')}\n`);
    return 0;
  });

/** What a job waits for that is not a person. */
async function heldUp(desk: Desk, run: string, job: LiveJob): Promise<string[]> {
  if (job.stage.name !== 'queued' && job.stage.name !== 'pausing') return [];
  const system = await desk.inbox.system();
  const login = system?.logins.get(await desk.loginOf(agentOf(job)));
  const wanted = job.order.locks ?? [];
  const held = [...(system?.locks ?? [])].find(
    ([holder, { scope, resources }]) =>
      holder !== run &&
      scope === (job.order.repository?.folder ?? '') &&
      wanted.some((path) => resources.some((taken) => overlaps(path, taken))),
  );
  return [
    ...(login && login.loss !== null ? [`${agentOf(job)} is not logged in; it goes on by itself after that`] : []),
    ...(login && login.loss === null
      ? [`${agentOf(job)} is at its limit until ${new Date(login.untilMs).toISOString()}`]
      : []),
    ...(held ? [`${held[1].resources.join(', ')} is locked by ${held[0]}`] : []),
  ];
}

function placeOf({ workspace }: LiveJob): string {
  const from = workspace?.base ? ` · from ${workspace.base.slice(0, HASH_SHOWN)}` : '';
  return workspace?.branch ? `${from} · branch ${workspace.branch}` : from;
}

const DIMENSIONS = [
  ['cost', 'costMicroUsd'],
  ['time', 'activeMs'],
  ['tokens', 'tokens'],
] as const;

function limitLines(job: LiveJob): string[] {
  const { order, handoffs, phase, tries } = job;
  const lines = DIMENSIONS.flatMap(([name, dimension]) => {
    const line = limitLine(job, dimension);
    const source = dimension === 'tokens' && job.spent.tokens > 0 ? `   ${sourceOf(job)}` : '';
    return line === undefined ? [] : [`  ${name.padEnd(8)} ${line}${source}`];
  });
  return [
    ...lines,
    `  handoffs ${handoffs} of ${order.limits.asks || 'any number'} · sent back ${tries[phase] ?? 0} of 3 times`,
  ];
}

function restLines({ points, pointsTaken, order, pullRequest }: LiveJob, { run, version, head }: RunRow): string[] {
  const last = points.at(-1);
  return [
    `  phases   ${order.phases.map(({ name, agent }) => `${name} (${agent})`).join(', ')}`,
    ...(last
      ? [`  points   ${pointsTaken}, last ${last.id} ${last.description}   baton job rollback ${run} --to ${last.id}`]
      : []),
    ...(pullRequest === null ? [] : [`  pull     ${pullRequest}`]),
    `  log      ${version} events, head ${head.slice(0, HASH_SHOWN)}   baton audit show ${run}`,
  ];
}

export const runJobList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const filters = (['status', 'agent', 'search', 'after'] as const).map((name) => [name, textOption(parsed, name)]);
    const given = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
    const limit = countOption(parsed, 'limit', { min: 1, max: LIMIT_MAX }) ?? LIMIT_DEFAULT;
    const { items, next } = await desk.store.runs({ ...given, kind: 'job', limit });
    if (parsed.values.json) {
      const objects = await Promise.all(items.map(({ run }) => desk.jobs.show(run)));
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
