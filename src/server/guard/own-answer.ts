import { BatonError } from '../../contracts/shared/errors.js';
import { ownWorkProblem } from '../../core/access/own-work.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Identity } from '../route.js';

type Sent = { envelope_id?: unknown; clarification_response?: unknown; confirmation_response?: unknown };

/** An envelope that comes back with an answer is judged like an answer: whoever works on it may not give it. */
export async function refuseOwnAnswer(baton: Baton, who: Identity, body: unknown): Promise<void> {
  const { envelope_id, clarification_response, confirmation_response } = (body ?? {}) as Sent;
  const answers = (clarification_response ?? confirmation_response ?? null) !== null;
  if (!answers || typeof envelope_id !== 'string') return;
  if ((await baton.store.run(envelope_id))?.kind !== 'envelope') return;
  const problem = await envelopeProblem(baton, who, envelope_id);
  if (problem !== undefined) throw new BatonError('FORBIDDEN', problem, { needed: 'somebody else' });
}

/** Why somebody may not answer what an envelope asks. */
export async function envelopeProblem(baton: Baton, who: Identity, run: string): Promise<string | undefined> {
  const live = await baton.envelopes.state(run);
  if (!live.asked) return undefined;
  const [first] = await baton.store.events(run, 0, 1);
  const agents = await baton.envelopes.agentsOf(live);
  return ownWorkProblem(who, { author: first?.actor ?? null, agents }, { fourEyes: await baton.fourEyes() });
}
