import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { EventRow } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';
import { badQuery } from '../http-problem.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';
import { eventPieces } from '../stream/event-pieces.js';

const LIMIT = { min: 1, max: 1_000 };
const LIMIT_DEFAULT = 200;
const POSITION = { min: 0, max: Number.MAX_SAFE_INTEGER };
const PAGE = 500;

const QUERY = { after: 'position', limit: '' };

export const eventRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/events', verb: 'look', summary: 'Events of all runs.', query: QUERY },
    async stream({ baton, query, signal }, { feed, last }) {
      const after = await positionIn(baton, last ?? query.after);
      return eventPieces(feed, { after, run: undefined, signal });
    },
    async answer({ baton, query }) {
      const { after, limit } = await pageIn(baton, query);
      return pageOf(await baton.store.feed(after, limit), limit);
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run/events', verb: 'look', summary: 'Events of a run.', query: QUERY },
    async stream({ baton, query, signal, params: { run = '' } }, { feed, last }) {
      await refuseUnknown(baton, run);
      return eventPieces(feed, { after: await positionIn(baton, last ?? query.after), run, signal });
    },
    async answer({ baton, query, params: { run = '' } }) {
      await refuseUnknown(baton, run);
      const { after, limit } = await pageIn(baton, query);
      return pageOf(await rowsOf(baton, run, after, limit), limit);
    },
  }),
];

async function refuseUnknown({ store }: Baton, run: string): Promise<void> {
  if (await store.run(run)) return;
  throw new BatonError('RUN_NOT_FOUND', `there is no run ${JSON.stringify(run)}`, { run_id: run });
}

/** A position that was never given out is a mistake: whoever waits behind it would wait for ever. */
async function positionIn({ store }: Baton, text: string | undefined): Promise<number> {
  const after = text === undefined ? 0 : (countIn({ after: text }, 'after', POSITION) ?? 0);
  if (after > (await store.position())) throw badQuery('after', String(after));
  return after;
}

async function pageIn(baton: Baton, query: Readonly<Record<string, string>>) {
  return {
    after: await positionIn(baton, query.after),
    limit: countIn(query, 'limit', LIMIT) ?? LIMIT_DEFAULT,
  };
}

function pageOf(rows: readonly EventRow[], limit: number) {
  return { items: rows.map(eventObject), next: rows.length === limit ? String(rows.at(-1)?.position) : null };
}

/** Those of one run have numbers of their own; positions among them only grow. */
async function rowsOf({ store }: Baton, run: string, after: number, limit: number): Promise<EventRow[]> {
  const found: EventRow[] = [];
  for (let seq = 0; found.length < limit; ) {
    const rows = await store.events(run, seq, PAGE);
    found.push(...rows.filter(({ position }) => position > after).slice(0, limit - found.length));
    if (rows.length < PAGE) break;
    seq = rows.at(-1)?.seq ?? seq;
  }
  return found;
}
