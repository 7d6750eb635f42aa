import type { JobObject } from '../../contracts/api/job-shapes.js';
import { isHeld, type LiveJob } from '../../core/job/job-state.js';
import { type Dimension, remaining } from '../../core/kernel/budget.js';
import { wantedWords } from '../../core/kernel/wanted-words.js';
import { printable } from '../printable.js';
import { duration, tokens, usd } from './amounts.js';

const BAR_WIDTH = 20;

/** One sentence why a job stands where it stands, and the command that moves it on. */
export function nextStep(object: JobObject, job: LiveJob, owned: boolean): { why: string; next: string | null } {
  const id = object.job_id;
  if (job.stage.name === 'asking' && object.waiting_for !== null) {
    const answer = `baton answer ${object.waiting_for} --approve --text "…"`;
    return { why: `It is your turn: ${printable(job.phase)}.`, next: answer };
  }
  if (job.stage.name === 'approving') {
    const { agent, wanted } = job.stage;
    const next = `baton answer ${object.waiting_for} --approve      or: --deny --guidance "…"`;
    return { why: `${printable(agent)} asks whether it may ${printable(wantedWords(wanted))}.`, next };
  }
  switch (job.status) {
    case 'DRAFT':
      return { why: 'It is a draft.', next: `baton job activate ${id}` };
    case 'PENDING':
    case 'RUNNING':
    case 'REVIEWING':
      return goingOn(object, job, owned);
    case 'SUCCESS':
      if (!job.workspace?.branch) return { why: `Its work is in ${object.workspace}.`, next: null };
      return { why: 'Its work waits to be taken home.', next: `baton job land ${id}` };
    case 'CANCELED':
      return { why: 'It was ended for good; its files are kept.', next: null };
    case 'HALTED_COST':
      return { why: `It reached its limit: ${spentOf(job)}.`, next: `baton job raise ${id} ${raiseOf(job)}` };
    case 'HALTED_TIME':
      return {
        why: `It reached its limit of ${duration(job.order.limits.activeMs ?? 0)}.`,
        next: `baton job raise ${id} ${raiseOf(job)}`,
      };
    default:
      return resting(object, job);
  }
}

function goingOn({ job_id: id }: JobObject, job: LiveJob, owned: boolean): { why: string; next: string | null } {
  const { stage } = job;
  if (stage.name === 'waiting') return { why: `It waits for ${stage.for.join(', ')}.`, next: null };
  const parked = stage.name === 'pausing' ? `It goes on at ${new Date(stage.untilMs).toISOString()}. ` : '';
  if (isHeld(job)) return { why: 'It was to make one handoff, and rests.', next: `baton job run ${id}` };
  if (stage.name === 'parked')
    return { why: `It waits: ${printable(stage.reason)}.`, next: owned ? null : `baton job run ${id}` };
  if (owned) return { why: `${parked}It is under way; watch it: baton job run ${id}`, next: null };
  return { why: `${parked}Nobody drives it.`, next: `baton job run ${id}` };
}

function resting({ job_id: id, reason, waiting_for: item }: JobObject, { stage }: LiveJob) {
  const why = stage.name === 'resting' ? stage.why : '';
  const sentence = `It waits for you: ${printable(reason ?? '')}.`;
  if (why === 'approval' || why === 'protected') {
    return { why: sentence, next: item === null ? `baton job approve ${id}` : `baton answer ${item} --approve` };
  }
  return { why: sentence, next: `baton job resubmit ${id} --guidance "…"` };
}

export function limitLine(job: LiveJob, dimension: Exclude<Dimension, 'asks'>): string | undefined {
  const limit = job.order.limits[dimension] ?? 0;
  const spent = job.spent[dimension];
  if (limit === 0) return undefined;
  const share = Math.min(1, spent / limit);
  const full = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(full) + '.'.repeat(BAR_WIDTH - full);
  return (
    `${amount(dimension, spent)} of ${amount(dimension, limit)}`.padEnd(24) +
    `${Math.round(share * 100)} %`.padStart(6) +
    `  ${bar}`
  );
}

function amount(dimension: Exclude<Dimension, 'asks'>, value: number): string {
  if (dimension === 'costMicroUsd') return usd(value);
  return dimension === 'tokens' ? tokens(value) : duration(value);
}

function spentOf({ order, spent }: LiveJob): string {
  const money = remaining(order.limits, spent, 'costMicroUsd') <= 0;
  return money
    ? `${usd(spent.costMicroUsd)} of ${usd(order.limits.costMicroUsd ?? 0)}`
    : `${tokens(spent.tokens)} of ${tokens(order.limits.tokens ?? 0)}`;
}

const RAISED = {
  costMicroUsd: (cost) => `--max-cost ${Math.ceil(cost / 1_000_000)}`,
  tokens: (count) => `--max-tokens ${count}`,
  activeMs: (ms) => `--max-time ${Math.ceil(ms / 60_000)}m`,
} as const satisfies Partial<Record<Dimension, (amount: number) => string>>;

/**
 * Every limit that is reached, each by as much again as was given, on top of what was spent: it may have been crossed by
 * far. Time is stopped a little before its end.
 */
function raiseOf({ status, order, spent }: LiveJob): string {
  const names = Object.keys(RAISED) as (keyof typeof RAISED)[];
  const reached = names.filter(
    (name) => remaining(order.limits, spent, name) <= 0 || (name === 'activeMs' && status === 'HALTED_TIME'),
  );
  return reached
    .map((name) => {
      const limit = order.limits[name] ?? 0;
      return RAISED[name](Math.max(limit, spent[name]) + limit);
    })
    .join(' ');
}

/** Who says so: the proxy, which saw it, or the agents themselves. */
export function sourceOf({ spent, reported }: LiveJob): string {
  if (reported === 0) return spent.tokens === 0 ? 'nothing was metered' : 'metered';
  return reported < spent.tokens ? 'partly reported' : 'reported';
}

/** How a job ended, with what shows it. */
export function successLines({ job_id: id, branch }: JobObject, job: LiveJob): string[] {
  const { spent, order, proof } = job;
  const money = order.limits.costMicroUsd ? ` of ${usd(order.limits.costMicroUsd)}` : '';
  const took = `${duration(spent.activeMs)} · ${usd(spent.costMicroUsd)}${money} · ${tokens(spent.tokens)} (${sourceOf(job)})`;
  const checks =
    proof === null ? 'nothing was checked' : `${proof} ${proof === 1 ? 'check' : 'checks'} passed on the final tree`;
  return [
    `${statusWords(job)} in ${took}`,
    `  proof    ${checks}`,
    ...(branch === null ? [] : [`  look     baton job diff ${id}`, `  take it  baton job land ${id}`]),
  ];
}

/** SUCCESS that nothing proves is said to be just that. */
export function statusWords({ status, proof }: LiveJob): string {
  return status === 'SUCCESS' && proof === null ? 'SUCCESS (unchecked)' : status;
}
