import { BatonError } from '../../contracts/shared/errors.js';
import { ownWorkProblem } from '../../core/access/own-work.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Identity } from '../route.js';
import { envelopeProblem } from './own-answer.js';

type Judging = { answers: boolean };

/** Refuses whoever would judge what they have a hand in themselves; by whatever address they come. */
export async function refuseOwnWork(baton: Baton, who: Identity, run: string, judging: Judging): Promise<void> {
  const problem = await ownWork(baton, who, run, judging);
  if (problem !== undefined) throw new BatonError('FORBIDDEN', problem, { needed: 'somebody else' });
}

/** Why somebody may not judge a run, in words. */
export async function ownWork(
  baton: Baton,
  who: Identity,
  run: string,
  { answers }: Judging,
): Promise<string | undefined> {
  if ((await baton.store.run(run))?.kind === 'envelope') return envelopeProblem(baton, who, run);
  if ((await baton.store.run(run))?.kind === 'session') return sessionProblem(baton, who, run, answers);
  const job = await jobOf(baton, run);
  if (job === null) return undefined;
  const [first] = await baton.store.events(job, 0, 1);
  const agents = (await baton.jobs.state(job)).order.phases.map(({ agent }) => agent);
  const fourEyes = answers && (await baton.fourEyes());
  return ownWorkProblem(who, { author: first?.actor ?? null, agents }, { fourEyes });
}

async function sessionProblem(baton: Baton, who: Identity, run: string, answers: boolean): Promise<string | undefined> {
  const { order } = await baton.sessions.state(run);
  const [first] = await baton.store.events(run, 0, 1);
  const fourEyes = answers && (await baton.fourEyes());
  return ownWorkProblem(who, { author: first?.actor ?? null, agents: [order.agent] }, { fourEyes });
}

async function jobOf({ store, landings }: Baton, run: string): Promise<string | null> {
  const kind = (await store.run(run))?.kind;
  if (kind === 'landing') return (await landings.order(run)).job;
  return kind === 'job' ? run : null;
}

/** Who acts for an agent hands in that agent's answers and nobody else's. */
export async function refuseOthersAnswer({ jobs }: Baton, who: Identity, run: string, role: string): Promise<void> {
  if (who.agent === null) return;
  const { phases } = (await jobs.state(run)).order;
  if (phases.some((phase) => phase.role === role && phase.agent === who.agent)) return;
  throw new BatonError('FORBIDDEN', `${who.agent} is not asked as ${role} in ${run}`, { needed: 'somebody else' });
}
