import type { JobObject } from '../../contracts/api/job-shapes.js';
import {
  isSupervisor,
  type JobOrder,
  type Repository,
  SUPERVISOR_PHASE,
  WORKER_PHASE,
} from '../../core/job/job-order.js';
import type { Desk } from '../../engine/desk.js';
import { counted } from '../grouped-number.js';
import type { Io } from '../io.js';
import { duration, tokens, usd } from './amounts.js';
import { runForUser } from './github.js';

/** Who works on what, from where, under which limits and guards: said before anything is spent. */
export async function headerLines(
  { job_id, branch }: JobObject,
  order: JobOrder,
  io: Io,
  guard: Guard,
): Promise<string[]> {
  const { repository, checks, protect, locks = [] } = order;
  const guards = [
    guardWords({ ...guard, freeAgents: freeAgentsOf(order, guard) }, order.network ?? []),
    checks.length > 0 ? counted(checks.length, 'check') : 'nothing is checked (--check CMD)',
    ...(protect.length > 0 ? [`${protect.join(', ')} protected`] : []),
    ...(locks.length > 0 ? [`${locks.join(', ')} locked`] : []),
  ];
  return [
    `${job_id}   ${whoOf(order)}   limit ${limitWords(order)}`,
    ...(repository === null ? [] : [`  from    ${await startOf(io, repository)}`]),
    ...(branch === null ? [] : [`  branch  ${branch}`]),
    `  guard   ${guards.join(' · ')}`,
  ];
}

type Guard = Awaited<ReturnType<Desk['guard']>> & {
  /** Registered with `--sandbox danger-full-access`. */
  freeAgents: readonly string[];
};

function guardWords({ mode, holds, why, setup, freeAgents }: Guard, hosts: readonly string[]): string {
  const network = hosts.length === 0 ? 'network for setup only' : `network: ${hosts.join(', ')}; for checks none`;
  const because = why === null ? 'baton config set sandbox.mode auto' : why;
  if (!holds) return `no sandbox: agents, setup and checks run with your rights (${because})`;
  const outside = [...freeAgents, ...(setup === 'danger-full-access' ? ['setup'] : [])];
  if (outside.length === 0) return `sandbox on (${mode}): agents, setup, checks · ${network}`;
  return `sandbox on (${mode}), but with your rights: ${outside.join(', ')} · ${network}`;
}

/** Of those who work on it, the ones that are held by nothing. */
function freeAgentsOf({ fallback, phases }: JobOrder, { freeAgents }: Guard): string[] {
  const named = [fallback, ...phases.map((phase) => phase.agent)];
  return freeAgents.filter((one) => named.includes(one));
}

function whoOf({ phases }: JobOrder): string {
  const [work, review, ...more] = phases;
  const plain = work?.name === WORKER_PHASE && (!review || review.name === SUPERVISOR_PHASE) && more.length === 0;
  if (!plain) return phases.map((phase) => `${phase.agent}: ${phase.name}`).join(', ');
  return phases.map((phase) => `${phase.agent} ${isSupervisor(phase) ? 'reviews' : 'works'}`).join(', ');
}

function limitWords({ limits }: JobOrder): string {
  const { costMicroUsd = 0, activeMs = 0, tokens: most = 0 } = limits;
  const words = [
    ...(costMicroUsd > 0 ? [usd(costMicroUsd)] : []),
    ...(activeMs > 0 ? [duration(activeMs)] : []),
    ...(most > 0 ? [tokens(most)] : []),
  ];
  return words.length > 0 ? words.join(' · ') : 'none';
}

/** As a person would name it; what cannot be found out is not worth stopping for. */
async function startOf(io: Io, { folder: repo, base: said }: Repository): Promise<string> {
  const base = said ?? 'HEAD';
  try {
    const [name, hash] = await Promise.all([
      runForUser(io, 'git', ['rev-parse', '--abbrev-ref', base, '--'], repo),
      runForUser(io, 'git', ['rev-parse', '--short', base, '--'], repo),
    ]);
    return `${name.split('\n')[0]} @ ${hash.split('\n')[0]}`;
  } catch {
    return `${base} of ${repo}`;
  }
}
