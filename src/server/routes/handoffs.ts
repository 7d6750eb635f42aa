import { handoffClaim } from '../../contracts/api/handoff-claim.js';
import { handoffReport } from '../../contracts/api/handoff-report.js';
import type { HandoffClaimBody } from '../../contracts/generated/types/handoff-claim.js';
import type { HandoffReportBody } from '../../contracts/generated/types/handoff-report.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { HandoffQueue, Offer, Unanswered } from '../../engine/handoffs/handoff-queue.js';
import { Answer, type Asked, type Identity, type Route, withBody } from '../route.js';

const HANDOFF = '/api/v1/handoffs/:handoff';

/** Work for agents of the adapter `queue`: taken, kept with signs of life, and handed in by its token. */
export const handoffRoutes: readonly Route[] = [
  withBody({
    ...{ method: 'POST', path: '/api/v1/handoffs/claim', verb: 'handoff.work', summary: 'Take work; 204: none.' },
    body: handoffClaim,
    async answer({ baton, body, signal, who }: Asked<HandoffClaimBody>) {
      const { agent = who.agent ?? undefined, labels, wait = 0 } = body;
      refuseOthers(who, agent);
      const taker = { ...(agent !== undefined && { agent }), ...(labels && { labels }), waitMs: wait * 1_000 };
      const claimed = await baton.queue.claim(taker, signal);
      if (!claimed) return new Answer(204, undefined);
      const { run, handoff, attempt, request, deadlineMs, token, leaseMs } = claimed;
      return {
        ...{ handoff: nameOf(claimed), run_id: run, key: handoff, attempt, agent: claimed.agent, token },
        lease_seconds: leaseMs / 1_000,
        deadline: new Date(Math.min(deadlineMs, MAX_DATE_MS)).toISOString(),
        request: JSON.parse(new TextDecoder().decode(request)),
      };
    },
  }),
  reporting('heartbeat', 'Still at it.', (queue, { token }) => queue.heartbeat(token)),
  reporting('log', 'A line for people who watch.', (queue, { token, text = '' }) => queue.tell(token, text)),
  reporting('answer', 'Done.', (queue, { token, answer }) => {
    if (answer === undefined) throw new BatonError('USAGE', 'name the answer');
    return queue.answer(token, typeof answer === 'string' ? answer : JSON.stringify(answer));
  }),
  reporting('fail', 'No answer, and why.', (queue, { token, failure = 'crash', reason = '', retry_after_s: wait }) =>
    queue.fail(token, {
      ...{ failure: failure as Unanswered['failure'], reason },
      ...(wait !== undefined && { retryAfterMs: wait * 1_000 }),
    }),
  ),
];

function nameOf({ run, handoff, attempt }: Offer): string {
  return `${run}.${handoff}.${attempt}`;
}

/** A token is for one handoff; named with another one it was mixed up. */
function refuseOther(held: Offer | undefined, named: string | undefined): void {
  if (!held || nameOf(held) === named) return;
  throw new BatonError('HANDOFF_LOST', `this token is not of ${named}`, { handoff: named });
}

const MAX_DATE_MS = 8.64e15;

function reporting(
  verb: string,
  summary: string,
  report: (queue: HandoffQueue, body: HandoffReportBody) => unknown,
): Route {
  return withBody({
    ...{ method: 'POST', path: `${HANDOFF}/${verb}`, verb: 'handoff.work', summary, body: handoffReport },
    async answer({ baton, body, params }: Asked<HandoffReportBody>) {
      refuseOther(baton.queue.held(body.token), params.handoff);
      await report(baton.queue, body);
      return { ok: true };
    },
  });
}

/** A token that acts for an agent takes that agent's work and no other. */
function refuseOthers({ name, agent: own }: Identity, agent: string | undefined): void {
  if (own === null || own === agent) return;
  throw new BatonError('FORBIDDEN', `${name} acts for ${own}, not for ${agent ?? 'any agent'}`, { needed: own });
}
