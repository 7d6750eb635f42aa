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
const NUMBER = { min: 1, max: Number.MAX_SAFE_INTEGER };

const QUERY = { after: 'position', limit: '' };
const OF_RUN = { ...QUERY, from: 'number within the run, instead of after' };

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
    ...{ method: 'GET', path: '/api/v1/runs/:run/events', verb: 'look', summary: 'Events of a run.', query: OF_RUN },
    async stream({ baton, query, signal, params: { run = '' } }, { feed, last }) {
      await refuseUnknown(baton, run);
      return eventPieces(feed, { after: await positionIn(baton, last ?? query.after), run, signal });
    },
    async answer({ baton, query, params: { run = '' } }) {
      await refuseUnknown(baton, run);
      const { after, limit } = await pageIn(baton, query);
      const from = countIn(query, 'from', NUMBER);
      const before = from === undefined ? await numberAt(baton, run, after) : from - 1;
      return pageOf(await baton.store.events(run, before, limit), limit);
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

/** The number of the last event of a run up to a position; both only grow, so halves are enough to find it. */
async function numberAt({ store }: Baton, run: string, position: number): Promise<number> {
  let [low, high] = [0, (await store.run(run))?.version ?? 0];
  while (position > 0 && low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [row] = await store.events(run, middle - 1, 1);
    if (row && row.position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
